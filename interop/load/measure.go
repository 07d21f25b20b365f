package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/parleymcp/parley/interop/contest"
	"github.com/parleymcp/parley/interop/report"
)

// row is one contestant with so many connections.
type row struct {
	Framework   string  `json:"framework"`
	Contestant  string  `json:"contestant"`
	Connections int     `json:"connections"`
	PerSecond   float64 `json:"requestsPerSecond"` // median of rounds
	Median      float64 `json:"medianMicroseconds"`
	P99         float64 `json:"p99Microseconds"`
	Processor   float64 `json:"processorMicroseconds"` // of the server, a request

	// By those of bare on the same framework, medians of the ratios of rounds.
	OfBare       float64 `json:"ofBare"`
	MedianOfBare float64 `json:"medianOfBare"`
	P99OfBare    float64 `json:"p99OfBare"`
	// The contestant's processor time by this library's, which a busy machine
	// changes less.
	ParleyProcessor float64 `json:"processorOfParley"`
	// Of this library's requests per second by the contestant's, on the same
	// framework.
	Parley float64 `json:"parleyTimes"`

	samples []sample
}

type entry struct{ name, framework string }

// contestants take their turns in this order; bare is contest.Raw, which reads
// the body and answers fixed bytes.
func contestants() []entry {
	var all []entry
	for _, framework := range contest.Frameworks {
		for _, name := range []string{contest.Raw, contest.Parley, contest.Plain} {
			all = append(all, entry{name, framework})
		}
	}
	return append(all, entry{contest.MCPGo, "net/http"}, entry{contest.GoSDK, "net/http"})
}

var connections = []int{1, 16, 128}

func measure(o options) error {
	call := contest.Small()
	var rows []*row
	for _, n := range connections {
		for _, e := range contestants() {
			rows = append(rows, &row{Framework: e.framework, Contestant: e.name, Connections: n})
		}
	}
	for i := range o.starts {
		fmt.Fprintf(os.Stderr, "start %d of %d\n", i+1, o.starts)
		if err := session(o, &call, rows); err != nil {
			return err
		}
	}
	ratios(rows)
	table := render(rows)
	_, _ = fmt.Fprint(os.Stdout, table)
	return report.Write(o.out, "load", table, rows)
}

// session starts everybody and loads them by turns.
func session(o options, call *contest.Call, rows []*row) (err error) {
	running := map[entry]*server{}
	defer func() {
		for _, s := range running {
			err = errors.Join(err, s.stop())
		}
	}()
	for _, e := range contestants() {
		if running[e], err = start(e.name, e.framework, o.core); err != nil {
			return err
		}
	}
	for range o.rounds {
		for _, r := range rows {
			s, err := load(running[entry{r.Contestant, r.Framework}], call, r.Connections, o.turn)
			if err != nil {
				return fmt.Errorf("%s on %s: %w", r.Contestant, r.Framework, err)
			}
			r.samples = append(r.samples, s)
		}
	}
	return nil
}

// each is f of every round.
func (r *row) each(f func(round int, s sample) float64) float64 {
	var list []float64
	for i, s := range r.samples {
		list = append(list, f(i, s))
	}
	return report.Median(list)
}

func ratios(rows []*row) {
	find := func(name string, like *row) *row {
		for _, r := range rows {
			if r.Contestant == name && r.Framework == like.Framework && r.Connections == like.Connections {
				return r
			}
		}
		return like
	}
	for _, r := range rows {
		bare, ours := find(contest.Raw, r), find(contest.Parley, r)
		r.PerSecond = r.each(func(_ int, s sample) float64 { return s.perSecond })
		r.Median = r.each(func(_ int, s sample) float64 { return s.median })
		r.P99 = r.each(func(_ int, s sample) float64 { return s.p99 })
		r.Processor = r.each(func(_ int, s sample) float64 { return s.processor })
		r.ParleyProcessor = r.each(func(i int, s sample) float64 { return s.processor / ours.samples[i].processor })
		r.OfBare = r.each(func(i int, s sample) float64 { return s.perSecond / bare.samples[i].perSecond })
		r.MedianOfBare = r.each(func(i int, s sample) float64 { return s.median / bare.samples[i].median })
		r.P99OfBare = r.each(func(i int, s sample) float64 { return s.p99 / bare.samples[i].p99 })
		r.Parley = r.each(func(i int, s sample) float64 { return ours.samples[i].perSecond / s.perSecond })
	}
}

func render(rows []*row) string {
	var out strings.Builder
	out.WriteString("A small tools/call over loopback, server and generator with one core each. " +
		"Ratios are medians of those of each round; bare reads the body and answers fixed bytes.\n\n" +
		"| connections | framework | contestant | requests/s | of bare | median of bare | p99 of bare | parley is faster by | processor µs | of parley's | bar |\n" +
		"|---:|---|---|---:|---:|---:|---:|---:|---:|---:|---|\n")
	for _, r := range rows {
		name := r.Contestant
		if name == contest.Raw {
			name = "bare"
		}
		fmt.Fprintf(&out, "| %d | %s | %s | %.0f | %.2f | %.2f | %.2f | %.2f | %.1f | %.2f | %s |\n",
			r.Connections, r.Framework, name, r.PerSecond, r.OfBare, r.MedianOfBare, r.P99OfBare, r.Parley, r.Processor, r.ParleyProcessor, r.verdict())
	}
	return out.String()
}

// verdict is what design.md asks of 16 connections.
func (r *row) verdict() string {
	if r.Connections != 16 {
		return ""
	}
	fiber := r.Framework == "fiber"
	bars := map[string]float64{contest.Plain: 1.05, contest.Raw: 0.75, contest.MCPGo: 3.5, contest.GoSDK: 8}
	if fiber {
		bars = map[string]float64{contest.Plain: 1, contest.Raw: 0.55}
	}
	bar, ok := bars[r.Contestant]
	switch {
	case !ok:
		return ""
	case r.Parley >= bar:
		return fmt.Sprintf("%.2f holds", bar)
	}
	return fmt.Sprintf("%.2f MISSED", bar)
}
