// Program scale opens ten thousand idle subscriptions/listen streams to a
// server in a process of its own, on each framework, and as many streams that
// only wait, written by hand on the same framework. It prints what a stream
// costs in memory and goroutines, how long a change takes to reach all, and
// how long it takes to close all.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	serve := flag.String("serve", "", "serve as name@framework, and do what standard input says")
	streams := flag.Int("streams", 10_000, "how many streams are opened")
	out := flag.String("out", "../.tmp/scale", "where scale.md and scale.json go")
	flag.Parse()
	run := func() error { return measure(*streams, *out) }
	if *serve != "" {
		run = func() error { return serveAs(*serve) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
