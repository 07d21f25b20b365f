// Program load measures servers over loopback: each contestant in a process of
// its own on one core, the generator on another, with 1, 16 and 128 keep-alive
// connections. Contestants take turns within a round, and all processes are
// started anew several times; what counts are medians of the ratios of rounds.
//
//	go build -o /tmp/load ./load && GOMAXPROCS=1 taskset -c 0 /tmp/load
package main

import (
	"flag"
	"fmt"
	"os"
	"time"
)

func main() {
	var o options
	serve := flag.String("serve", "", "serve as this contestant, name@framework, until standard input ends")
	flag.IntVar(&o.starts, "starts", 6, "how often all servers are started")
	flag.IntVar(&o.rounds, "rounds", 2, "rounds after each start")
	flag.DurationVar(&o.turn, "turn", 300*time.Millisecond, "how long a contestant is loaded in a round")
	flag.StringVar(&o.core, "core", "1", "the core of the servers")
	flag.StringVar(&o.out, "out", "../.tmp/load", "where load.md and load.json go")
	flag.Parse()
	run := func() error { return measure(o) }
	if *serve != "" {
		run = func() error { return serveAs(*serve) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// options of a measurement.
type options struct {
	starts, rounds int
	turn           time.Duration
	core, out      string
}
