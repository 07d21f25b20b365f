package server_test

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"runtime/pprof"
	"testing"
	"time"
)

// TestMain fails if a test has left a goroutine behind.
func TestMain(m *testing.M) {
	before := runtime.NumGoroutine()
	code := m.Run()
	http.DefaultClient.CloseIdleConnections()
	if flag.Lookup("test.fuzz").Value.String() != "" {
		os.Exit(code) // the fuzzing engine has goroutines of its own
	}
	if code == 0 && !settled(before) {
		fmt.Fprintf(os.Stderr, "%d goroutines, %d at the start\n", runtime.NumGoroutine(), before)
		_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 1)
		code = 1
	}
	os.Exit(code)
}

// settled waits for goroutines that are about to end.
func settled(limit int) bool {
	for deadline := time.Now().Add(3 * time.Second); time.Now().Before(deadline); {
		if runtime.NumGoroutine() <= limit {
			return true
		}
		<-time.After(5 * time.Millisecond)
	}
	return false
}
