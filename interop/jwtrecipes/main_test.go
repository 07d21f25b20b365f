package jwtrecipes_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestMain fails if a goroutine is left when all applications are shut down.
func TestMain(m *testing.M) {
	code := m.Run()
	left := others()
	for deadline := time.Now().Add(5 * time.Second); left != "" && time.Now().Before(deadline); left = others() {
		<-time.After(50 * time.Millisecond)
	}
	if left != "" && code == 0 {
		fmt.Fprintln(os.Stderr, "goroutines left:\n"+left)
		code = 1
	}
	os.Exit(code)
}

// others are the stacks of all goroutines but this one and the clock that
// fasthttp keeps for the whole process.
func others() string {
	stacks := make([]byte, 1<<20)
	var left []string
	for _, stack := range strings.Split(string(stacks[:runtime.Stack(stacks, true)]), "\n\n")[1:] {
		if !strings.Contains(stack, "fasthttp.updateServerDate") {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}
