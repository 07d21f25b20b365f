package leak

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

// signals is what a fuzzing run of package testing starts and keeps.
const signals = "os/signal.loop"

// patience is how long what is on its way out may take.
const patience = 5 * time.Second

// Main runs the tests of a *testing.M and ends the program: with a failure if
// a goroutine is left. Stacks that contain one of ignored are not counted:
// goroutines that others keep for the whole process.
func Main(m interface{ Run() int }, ignored ...string) {
	code := m.Run()
	left := others(ignored)
	for deadline := time.Now().Add(patience); left != "" && time.Now().Before(deadline); left = others(ignored) {
		<-time.After(20 * time.Millisecond)
	}
	if left != "" && code == 0 {
		fmt.Fprintln(os.Stderr, "goroutines left:\n"+left)
		code = 1
	}
	os.Exit(code)
}

// others are the stacks of all goroutines but this one.
func others(ignored []string) string {
	buf := make([]byte, 1<<20)
	var left []string
next:
	for _, stack := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n")[1:] {
		for _, part := range append(ignored, signals) {
			if strings.Contains(stack, part) {
				continue next
			}
		}
		left = append(left, stack)
	}
	return strings.Join(left, "\n\n")
}
