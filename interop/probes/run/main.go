package main

import (
	"context"
	"fmt"
	"github.com/parleymcp/parley/interop/probes"
	"os"
	"time"
)

func main() {
	dir := os.Getenv("D")
	var ps []*probes.Program
	var err error
	ps, err = pp(dir)
	if err != nil {
		panic(err)
	}
	for i, p := range ps {
		if len(os.Args) > 1 && os.Args[1] != p.Name {
			continue
		}
		if i == 0 {
			p.Args = append(p.Args, os.Args[2:]...)
		}
		b := time.Now()
		rs, err := probes.RunAll(context.Background(), p)
		if err != nil {
			fmt.Println(err)
		}
		fmt.Println("=====", p.Name, time.Since(b))
		for _, r := range rs {
			fmt.Println(r.Probe.Row, r.Mark, r.Probe.Title, r.Why)
			for _, c := range r.Cases {
				if !c.OK {
					fmt.Println("    ", c.Note, c.Sent, "->", c.Got)
				}
			}
		}
	}
}

func pp(dir string) ([]*probes.Program, error) {
	ps := probes.Programs("../..")
	for _, p := range ps {
		if err := p.Build(context.Background(), dir); err != nil {
			return nil, err
		}
		if err := p.BuildRace(context.Background(), dir); err != nil {
			return nil, err
		}
	}
	return ps, nil
}
