package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/interop/contest"
)

// memory is what a process uses.
type memory struct {
	Heap       uint64  `json:"heap"`
	Stack      uint64  `json:"stack"`
	Goroutines int     `json:"goroutines"`
	Seconds    float64 `json:"seconds"` // that the command took
}

// serveAs serves, says where, and answers each line of standard input with
// its memory: look, publish and close.
func serveAs(who string) error {
	name, framework, _ := strings.Cut(who, "@")
	publish, end, e := contestant(name, framework)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() {
		if e.App != nil {
			_ = e.App.Listener(listener)
			return
		}
		_ = (&http.Server{Handler: e.HTTP, ReadHeaderTimeout: time.Minute}).Serve(listener)
	}()
	_, _ = fmt.Fprintln(os.Stdout, listener.Addr())
	commands := bufio.NewScanner(os.Stdin)
	for commands.Scan() {
		began := time.Now()
		switch commands.Text() {
		case "publish":
			publish()
		case "close":
			end()
		}
		took := time.Since(began).Seconds()
		if err := json.NewEncoder(os.Stdout).Encode(look(took)); err != nil {
			return err
		}
	}
	return commands.Err()
}

func contestant(name, framework string) (publish, end func(), e contest.Entry) {
	if name == contest.Raw {
		b := newBare()
		return b.publish, b.end, b.on(framework)
	}
	srv := contest.NewParley(10)
	publish = func() {
		if err := srv.Add(core.NewTool("more", "More.",
			func(context.Context, *core.Event, core.NoInput) (string, error) { return "", nil })); err != nil {
			panic(err)
		}
	}
	return publish, func() { _ = srv.Close(context.Background()) }, contest.Mounted(framework, srv)
}

// look collects garbage twice, since pools give up what they hold only then.
func look(took float64) memory {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return memory{Heap: m.HeapAlloc, Stack: m.StackInuse, Goroutines: runtime.NumGoroutine(), Seconds: took}
}
