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
// are built with the race detector, too.
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
		p.Path = filepath.Join(dir, p.Name)
		if err := build(ctx, where[i].module, where[i].pkg, p.Path); err != nil {
			return nil, err
		}
		if !race {
			continue
		}
		p.Race = p.Path + "-race"
		if err := build(ctx, where[i].module, where[i].pkg, p.Race, "-race"); err != nil {
			return nil, err
		}
	}
	return programs, nil
}

func build(ctx context.Context, module, pkg, path string, flags ...string) error {
	args := append([]string{"build", "-o", path}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, pkg)...) //nolint:gosec // these are ours
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", cmd, err, out)
	}
	return nil
}
