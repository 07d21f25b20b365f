package probes_test

import (
	"slices"
	"testing"

	"github.com/parleymcp/parley/interop/probes"
)

// TestOurs runs every probe against our fixture on every framework: each has to
// pass. They run all at once, since most of it is waiting.
func TestOurs(t *testing.T) {
	mounts := map[string]string{"stdlib": "middleware", "chi": "handler", "gin": "middleware", "fiber": "handler"}
	runs := map[string]func() ([]probes.Result, error){}
	for framework, mount := range mounts {
		runs[framework] = begin(t, framework, mount)
	}
	for framework, run := range runs {
		t.Run(framework, func(t *testing.T) {
			results, err := run()
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range results {
				if r.Mark == probes.Unknown && r.Probe.Setup == probes.Raced && fixture.Race == "" {
					continue // the tests run without the race detector
				}
				if r.Mark == probes.Unknown {
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

// begin begins to run every probe, and returns what waits for it.
func begin(t *testing.T, framework, mount string) func() ([]probes.Result, error) {
	t.Helper()
	p := *fixture
	p.Args = append(slices.Clip(p.Args), "-framework", framework, "-mount", mount)
	var (
		results []probes.Result
		err     error
		done    = make(chan struct{})
	)
	go func() {
		defer close(done)
		results, err = probes.RunAll(t.Context(), &p)
	}()
	return func() ([]probes.Result, error) {
		<-done
		return results, err
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
