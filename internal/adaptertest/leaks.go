package adaptertest

import (
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// testAbandoned leaves two hundred streams without a word, calls and
// subscriptions by turns. What they held is free after two keep-alive
// intervals.
func testAbandoned(t *testing.T, f *fixture) {
	const streams = 200
	f = f.factory.fixture(t, f.spec, newHouse(t, nil))
	goroutines, files := len(Goroutines()), openFiles(t)

	conns := make([]*connection, streams)
	for i := range conns {
		conns[i] = f.dial(t)
		msg := tool("hold", object{"id": strconv.Itoa(i), "stream": i%4 == 0})
		if i%2 == 1 {
			msg = listen("toolsListChanged")
		}
		conns[i].send(msg)
	}
	for _, conn := range conns { // all of them answer: the last ones after one interval
		if _, err := conn.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(Goroutines()) - goroutines; n < streams {
		t.Errorf("%d goroutines for %d open streams: the test counts wrong", n, streams)
	}
	for _, conn := range conns {
		conn.Close()
	}
	left := time.Now()
	for len(Goroutines()) > goroutines || openFiles(t) > files {
		if time.Since(left) > patience {
			all := Goroutines()
			t.Fatalf("left over: %d goroutines, %d files, the last goroutine:\n%s",
				len(all)-goroutines, openFiles(t)-files, all[len(all)-1])
		}
		<-time.After(keepAlive / 10)
	}
	// Two hundred failing writes take their time under the race detector.
	if took, limit := time.Since(left), 2*keepAlive+time.Second; took > limit {
		t.Errorf("free after %v, want %v", took, limit)
	}
}

// Goroutines are the stacks of all goroutines but the caller's and those that
// fasthttp keeps: its clock and its compressors for ever, and for some seconds
// workers without a connection and who looks after them.
func Goroutines() []string {
	stacks := make([]byte, 4<<20)
	all := strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n")
	return slices.DeleteFunc(all[1:], func(stack string) bool {
		_, frames, _ := strings.Cut(stack, "\n")
		return strings.HasPrefix(frames, "github.com/valyala/fasthttp.(*workerPool).workerFunc(") ||
			strings.HasPrefix(frames, "time.Sleep(") && strings.Contains(frames, "fasthttp.(*workerPool).Start.") ||
			strings.Contains(frames, "fasthttp.updateServerDate") || strings.Contains(frames, "fasthttp/stackless.")
	})
}

func openFiles(t *testing.T) int {
	t.Helper()
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return 0 // not on this system: goroutines tell as well
	}
	return len(entries)
}
