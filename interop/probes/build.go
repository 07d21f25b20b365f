package probes

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Programs are our fixture, first, and the servers of other libraries. root is
// the folder of the root module. They are not built yet.
func Programs(root string) []*Program {
	interop := filepath.Join(root, "interop")
	hurried, sessions := []string{"-write-timeout", "1s"}, []string{"-sessions"}
	return []*Program{
		{Name: "parley", Args: []string{"-probes"}, Sessions: []string{"-legacy"}, module: root, pkg: "./examples/everything"},
		{Name: "go-sdk", Hurried: hurried, Sessions: sessions, module: interop, pkg: "./probes/gosdkserver"},
		{Name: "mcp-go", Hurried: hurried, Sessions: sessions, module: interop, pkg: "./probes/mcpgoserver"},
	}
}

// Build builds the program into dir, as its Path.
func (p *Program) Build(ctx context.Context, dir string) (err error) {
	p.Path, err = p.build(ctx, filepath.Join(dir, p.Name))
	return err
}

// BuildRace builds the program with the race detector into dir, as its Race.
func (p *Program) BuildRace(ctx context.Context, dir string) (err error) {
	p.Race, err = p.build(ctx, filepath.Join(dir, p.Name+"-race"), "-race")
	return err
}

func (p *Program) build(ctx context.Context, path string, flags ...string) (string, error) {
	args := append([]string{"build", "-o", path}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, p.pkg)...) //nolint:gosec // these are ours
	cmd.Dir = p.module
	cmd.Env = append(os.Environ(), "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%v: %w\n%s", cmd, err, out)
	}
	return path, nil
}
