package conformance_test

import (
	"testing"
	"time"
)

// frameworks and mounts are the arguments of examples/everything under test.
var (
	frameworks = []string{"stdlib", "chi", "gin", "fiber"}
	mounts     = []string{"middleware", "handler"}
)

// revisions are the protocol revisions under test, each with the number of
// scenarios that the pinned runner has for it.
var revisions = []struct {
	version   string
	scenarios int
}{
	{"2026-07-28", 40},
	{"2025-11-25", 33},
	{"2025-06-18", 27},
	{"2025-03-26", 1},
}

// TestConformance serves every revision from one process, as a user would.
func TestConformance(t *testing.T) {
	r := findRunner(t)
	program := buildFixture(t)
	for _, framework := range frameworks {
		for _, mount := range mounts {
			t.Run(framework+"/"+mount, func(t *testing.T) {
				f := startFixture(t, 5*time.Second, program, "-framework", framework, "-addr", "127.0.0.1:0", "-mount", mount, "-legacy")
				for _, revision := range revisions {
					t.Run(revision.version, func(t *testing.T) {
						res := r.run(t, f.url, "--suite", "all", "--spec-version", revision.version)
						for _, problem := range res.problems(revision.scenarios) {
							t.Error(problem)
						}
					})
				}
				if err := f.stop(); err != nil {
					t.Errorf("the server did not stop cleanly: %v", err)
				}
			})
		}
	}
}
