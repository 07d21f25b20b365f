package probes_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/parleymcp/parley/interop/probes"
)

// run runs a probe against our fixture, spoiled.
func (s spoiler) run(t *testing.T, probe probes.Probe) probes.Result {
	t.Helper()
	target, err := fixture.Start(t.Context(), probe.Setup)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Kill()
	return probe.Run(t.Context(), &probes.Target{Name: "spoiled", URL: s.start(t, target.URL)})
}

// stubborn runs a probe against our fixture in a shell that does not let it end
// in peace.
func stubborn(t *testing.T, probe probes.Probe) probes.Result {
	t.Helper()
	return script(t, probe, fixture.Path+` "$@" & child=$!; trap 'kill -KILL $child; exit 1' TERM; wait $child`)
}

// racing runs a probe against our fixture, of which something says that it
// races.
func racing(t *testing.T, probe probes.Probe) probes.Result {
	t.Helper()
	return script(t, probe, `echo 'WARNING: DATA RACE' >&2; exec `+fixture.Path+` "$@"`)
}

// script runs a probe against a server that a shell script starts.
func script(t *testing.T, probe probes.Probe, text string) probes.Result {
	t.Helper()
	p := *fixture
	p.Path = filepath.Join(t.TempDir(), "script")
	p.Race = p.Path
	if err := os.WriteFile(p.Path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil { //nolint:gosec // it is run
		t.Fatal(err)
	}
	target, err := p.Start(t.Context(), probe.Setup)
	if err != nil {
		t.Fatal(err)
	}
	defer target.Kill()
	return probe.Run(t.Context(), target)
}
