package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/parleymcp/parley/interop/probes"
)

func main() {
	root := flag.String("root", "..", "folder of the root module")
	url := flag.String("url", "", "probe the server at this URL, and print what was found")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if *url != "" {
		show(probes.RunURL(ctx, *url))
	} else {
		err = measure(ctx, *root)
	}
	if err != nil {
		stop()
		log.Fatal(err) //nolint:gocritic // stop has been called
	}
}

// show prints what was found, the evidence for what is wrong.
func show(results []probes.Result) {
	for _, r := range results {
		fmt.Printf("%-7s %-4s %s %s\n", [...]string{"right", "wrong", "unknown"}[r.Mark], r.Probe.Row, r.Probe.Title, r.Why)
		for _, c := range r.Cases {
			if !c.OK && !c.Note {
				fmt.Printf("             %s: %s\n", c.Sent, c.Got)
			}
		}
	}
}

// libraries are the modules that the other programs use.
var libraries = map[string]string{
	"go-sdk": "github.com/modelcontextprotocol/go-sdk",
	"mcp-go": "github.com/mark3labs/mcp-go",
}

func measure(ctx context.Context, root string) error {
	dir, err := os.MkdirTemp("", "probes")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	report := probes.Report{Date: time.Now().UTC().Format(time.DateOnly), Go: runtime.Version()}
	var errs []error
	for _, p := range probes.Programs(root) {
		title, err := title(ctx, root, p.Name)
		if err != nil {
			return err
		}
		if err := errors.Join(p.Build(ctx, dir), p.BuildRace(ctx, dir)); err != nil {
			return err
		}
		results, err := probes.RunAll(ctx, p)
		if err != nil {
			return err
		}
		errs = append(errs, probes.Check(p.Name, results))
		report.Columns = append(report.Columns, probes.Column{Program: p.Name, Title: title, Results: results})
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return errors.Join(
		os.WriteFile(filepath.Join(root, "docs", "probes.md"), []byte(report.Page()), 0o644), //nolint:gosec // it is published
		intoReadme(filepath.Join(root, "README.md"), report.Table()),
	)
}

// title is the name of a server with its version.
func title(ctx context.Context, root, name string) (string, error) {
	module := libraries[name]
	if module == "" {
		return name + " of this commit", nil
	}
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Version}}", module)
	cmd.Dir = filepath.Join(root, "interop")
	version, err := cmd.Output()
	return name + " " + strings.TrimSpace(string(version)), err
}

// intoReadme puts the table where README.md wants it.
func intoReadme(path, table string) error {
	text, err := os.ReadFile(path) //nolint:gosec // it was given on the command line
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(text), probes.Begin)
	_, after, end := strings.Cut(rest, probes.End)
	if !ok || !end {
		return fmt.Errorf("%s has no region between %q and %q", path, probes.Begin, probes.End)
	}
	changed := before + probes.Begin + "\n" + table + probes.End + after
	return os.WriteFile(path, []byte(changed), 0o644) //nolint:gosec // it is published
}
