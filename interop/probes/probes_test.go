package probes_test

import (
	"slices"
	"testing"

	"github.com/parleymcp/parley/interop/probes"
)

// TestOurs runs every probe against our fixture on every framework: each has to
// pass.
func TestOurs(t *testing.T) {
	for framework, mount := range map[string]string{"stdlib": "middleware", "chi": "handler", "gin": "middleware", "fiber": "handler"} {
		t.Run(framework, func(t *testing.T) {
			t.Parallel()
			p := *fixture
			p.Args = append(slices.Clip(p.Args), "-framework", framework, "-mount", mount)
			results, err := probes.RunAll(t.Context(), &p)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range results {
				needsRace := r.Probe.Setup == probes.Raced && p.Race == ""
				if r.Mark == probes.Unknown && !needsRace {
					t.Errorf("%s, %s: cannot tell: %s", r.Probe.Row, r.Probe.Title, r.Why)
				}
				for _, c := range r.Cases {
					if !c.OK {
						t.Errorf("%s, %s: %s: got %s", r.Probe.Row, r.Probe.Title, c.Sent, c.Got)
					}
				}
			}
		})
	}
}

// TestOthers sees that the servers of other libraries start and answer; what
// they do with the probes is no matter of a test.
func TestOthers(t *testing.T) {
	for _, p := range others {
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			target, err := p.Start(t.Context(), probes.Shared)
			if err != nil {
				t.Fatal(err)
			}
			defer target.Kill()
			if r := probes.Alive().Run(t.Context(), target); r.Mark != probes.Passed {
				t.Errorf("got %+v", r)
			}
		})
	}
}
