package probes_test

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/parleymcp/parley/internal/leak"
	"github.com/parleymcp/parley/interop/probes"
)

// fixture is our server, built as the tests are; others are the servers of
// other libraries.
var (
	fixture *probes.Program
	others  []*probes.Program
)

func TestMain(m *testing.M) { leak.Main(built{m}) }

// built runs the tests between building the programs and removing them.
type built struct{ tests *testing.M }

func (b built) Run() int {
	dir, err := os.MkdirTemp("", "probes")
	if err == nil {
		defer func() { _ = os.RemoveAll(dir) }()
		err = build(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return b.tests.Run()
}

func build(dir string) error {
	all := probes.Programs("../..")
	fixture, others = all[0], all[1:]
	for _, p := range others {
		if err := p.Build(context.Background(), dir); err != nil {
			return err
		}
	}
	if info, ok := debug.ReadBuildInfo(); !ok || !slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		return fixture.Build(context.Background(), dir)
	}
	// The detector speaks up wherever it sees a race.
	err := fixture.BuildRace(context.Background(), dir)
	fixture.Path = fixture.Race
	return err
}
