package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestMain fails if a goroutine is left when all servers are shut down.
func TestMain(m *testing.M) {
	code := m.Run()
	deadline := time.Now().Add(5 * time.Second)
	left := leftovers()
	for ; len(left) > 0 && time.Now().Before(deadline); left = leftovers() {
		<-time.After(50 * time.Millisecond)
	}
	if len(left) > 0 && code == 0 {
		fmt.Fprintln(os.Stderr, "goroutines left:\n"+strings.Join(left, "\n\n"))
		code = 1
	}
	os.Exit(code)
}

// leftovers are the stacks of all goroutines but this one and those that fasthttp
// keeps for ever or, without a connection, for some seconds.
func leftovers() (left []string) {
	stacks := make([]byte, 1<<20)
	for _, stack := range strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n")[1:] {
		if !strings.Contains(stack, "fasthttp.(*workerPool)") && !strings.Contains(stack, "fasthttp.updateServerDate") {
			left = append(left, stack)
		}
	}
	return left
}
