package probes

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// grace is how long a server may take to end once it was told to.
const grace = 6 * time.Second

// Program is a server program that prints "listening on " and its URL.
type Program struct {
	Name string
	Path string
	Args []string

	// Hurried and Sessions are the further arguments that set it up so; nil: it
	// cannot be, or need not be told.
	Hurried, Sessions []string

	// Race is the program built with the race detector; "": there is none.
	Race string

	module, pkg string // where it is built from
}

// Target is a server under test.
type Target struct {
	Name string
	URL  string

	program *Program // nil: it is somebody else's
	cmd     *exec.Cmd
	cancel  context.CancelFunc
	log     *buffer
	ended   chan struct{}
}

// buffer is what a process wrote.
type buffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// Start starts the program as setup wants it.
func (p *Program) Start(ctx context.Context, setup Setup) (*Target, error) {
	path, args := p.Path, slices.Clone(p.Args)
	switch setup {
	case Hurried:
		args = append(args, p.Hurried...)
	case Sessions:
		args = append(args, p.Sessions...)
	case Raced:
		path = p.Race
	case Shared, Alone:
	}
	ctx, cancel := context.WithCancel(ctx)
	t := &Target{Name: p.Name, program: p, cancel: cancel, log: new(buffer), ended: make(chan struct{})}
	t.cmd = exec.CommandContext(ctx, path, args...) //nolint:gosec // it was built by the caller
	t.cmd.Stderr = t.log
	t.cmd.WaitDelay = time.Second
	stdout, err := t.cmd.StdoutPipe()
	if err != nil {
		cancel()
		return nil, err
	}
	if err := t.cmd.Start(); err != nil {
		cancel()
		return nil, err
	}
	late := time.AfterFunc(20*time.Second, cancel)
	defer late.Stop()
	for lines := bufio.NewScanner(stdout); t.URL == "" && lines.Scan(); {
		t.URL, _ = strings.CutPrefix(lines.Text(), "listening on ")
	}
	go func() {
		_ = t.cmd.Wait() // its state says how it ended
		close(t.ended)
	}()
	if t.URL == "" {
		t.Kill()
		return nil, fmt.Errorf("%s did not say where it listens: %s", p.Name, t.log)
	}
	return t, nil
}

// Kill ends the process at once.
func (t *Target) Kill() {
	if t.cmd == nil {
		return
	}
	t.cancel()
	<-t.ended
}

// stop tells the process to end, and returns an error unless it does so in time
// and of its own accord.
func (t *Target) stop() error {
	if err := t.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	late := time.AfterFunc(grace, t.cancel)
	defer late.Stop()
	<-t.ended
	if !late.Stop() {
		return fmt.Errorf("it had to be killed after %v", grace)
	}
	if !t.cmd.ProcessState.Success() {
		return errors.New(strings.TrimSpace(t.cmd.ProcessState.String() + " " + lastLine(t.log.String())))
	}
	return nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// died reports whether the process has ended, or does within a second.
func (t *Target) died() bool {
	if t.cmd == nil {
		return false
	}
	select {
	case <-t.ended:
		return true
	case <-time.After(time.Second):
		return false
	}
}

// alive reports whether the process runs.
func (t *Target) alive() bool {
	if t.cmd == nil {
		return true
	}
	select {
	case <-t.ended:
		return false
	default:
		return true
	}
}

// RunAll runs every probe against a program, in the order of the rows. The
// shared process is started anew when it has died.
func RunAll(ctx context.Context, p *Program) ([]Result, error) {
	var shared *Target
	defer func() {
		if shared != nil {
			shared.Kill()
		}
	}()
	var results []Result
	for _, probe := range All() {
		if probe.Setup != Shared {
			r, err := p.runAlone(ctx, probe)
			if err != nil {
				return results, err
			}
			results = append(results, r)
			continue
		}
		if shared == nil || !shared.alive() {
			var err error
			if shared, err = p.Start(ctx, Shared); err != nil {
				return results, err
			}
		}
		results = append(results, probe.Run(ctx, shared))
	}
	return results, nil
}

func (p *Program) runAlone(ctx context.Context, probe Probe) (Result, error) {
	if probe.Setup == Sessions && p.Sessions == nil {
		return Result{Probe: probe, Mark: Unknown, Why: "it keeps no sessions"}, nil
	}
	if probe.Setup == Raced && p.Race == "" {
		return Result{Probe: probe, Mark: Unknown, Why: "it was not built with the race detector"}, nil
	}
	target, err := p.Start(ctx, probe.Setup)
	if err != nil {
		return Result{}, err
	}
	defer target.Kill()
	return probe.Run(ctx, target), nil
}

// RunURL runs the probes against a server that is not ours to start: those that
// need a process of their own cannot tell.
func RunURL(ctx context.Context, url string) []Result {
	var results []Result
	for _, probe := range All() {
		if probe.Setup != Shared {
			results = append(results, Result{Probe: probe, Mark: Unknown, Why: "it needs a process of its own"})
			continue
		}
		results = append(results, probe.Run(ctx, &Target{Name: url, URL: url}))
	}
	return results
}
