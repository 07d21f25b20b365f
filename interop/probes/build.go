package probes

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Build builds the three programs into dir: our fixture first, then those of
// the other libraries. root is the folder of the root module. With race they
// have the race detector.
func Build(ctx context.Context, root, dir string, race bool) ([]*Program, error) {
	programs := []*Program{
		{Name: "parley", Args: []string{"-probes"}},
		{Name: "go-sdk", Hurried: []string{"-write-timeout", "1s"}, Sessions: []string{"-sessions"}},
		{Name: "mcp-go", Hurried: []string{"-write-timeout", "1s"}, Sessions: []string{"-sessions"}},
	}
	where := []struct{ module, pkg string }{
		{root, "./examples/everything"},
		{filepath.Join(root, "interop"), "./probes/gosdkserver"},
		{filepath.Join(root, "interop"), "./probes/mcpgoserver"},
	}
	for i, p := range programs {
		p.Path, p.Race = filepath.Join(dir, p.Name), race
		args := []string{"build", "-o", p.Path}
		if race {
			args = append(args, "-race")
		}
		cmd := exec.CommandContext(ctx, "go", append(args, where[i].pkg)...) //nolint:gosec // these are ours
		cmd.Dir = where[i].module
		cmd.Env = append(os.Environ(), "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("%v: %w\n%s", cmd, err, out)
		}
	}
	return programs, nil
}
