package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/parleymcp/parley/interop/contest"
	"github.com/parleymcp/parley/interop/report"
)

// row is what a stream of one contestant costs, in bytes.
type row struct {
	Framework  string  `json:"framework"`
	Contestant string  `json:"contestant"`
	Heap       float64 `json:"heap"`
	Stack      float64 `json:"stack"`
	Goroutines float64 `json:"goroutines"`
	Publish    float64 `json:"publishMilliseconds"` // until the last client has it
	Close      float64 `json:"closeMilliseconds"`   // until the last client has its result
}

func measure(streams int, dir string) error {
	var rows []row
	var out strings.Builder
	fmt.Fprintf(&out, "%d idle streams, server in a process of its own; heap and stack in bytes a stream.\n\n"+
		"| framework | contestant | heap | stack | goroutines | publish ms | close ms | bar |\n"+
		"|---|---|---:|---:|---:|---:|---:|---|\n", streams)
	for _, framework := range contest.Frameworks {
		var bare row
		for _, name := range []string{contest.Raw, contest.Parley} {
			r, err := one(name, framework, streams)
			if err != nil {
				return fmt.Errorf("%s on %s: %w", name, framework, err)
			}
			verdict := ""
			if name == contest.Raw {
				r.Contestant, bare = "bare", r
			} else {
				verdict = r.verdict(bare)
			}
			rows = append(rows, r)
			fmt.Fprintf(&out, "| %s | %s | %.0f | %.0f | %.2f | %.0f | %.0f | %s |\n",
				r.Framework, r.Contestant, r.Heap, r.Stack, r.Goroutines, r.Publish, r.Close, verdict)
		}
	}
	_, _ = fmt.Fprint(os.Stdout, out.String())
	return report.Write(dir, "scale", out.String(), rows)
}

// verdict holds a stream to design.md.
func (r row) verdict(bare row) string {
	most := 2048.0
	if r.Framework == "fiber" {
		most = 6 << 10
	}
	var missed []string
	miss := func(is bool, format string, args ...any) {
		if is {
			missed = append(missed, fmt.Sprintf(format, args...))
		}
	}
	heap, stack := r.Heap-bare.Heap, r.Stack-bare.Stack
	miss(heap > 1536, "heap %+.0f, at most 1536", heap)
	miss(heap+stack > most, "with stacks %+.0f, at most %.0f", heap+stack, most)
	miss(r.Goroutines > bare.Goroutines+0.01, "%+.2f goroutines", r.Goroutines-bare.Goroutines)
	miss(r.Publish > 500, "publish, at most 500 ms")
	miss(r.Close > 1000, "close, at most 1 s")
	if len(missed) == 0 {
		return fmt.Sprintf("holds: heap %+.0f, with stacks %+.0f", heap, heap+stack)
	}
	return "MISSED: " + strings.Join(missed, "; ")
}

// process is a server that is told what to do.
type process struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func (p *process) do(command string) (m memory, err error) {
	if _, err := io.WriteString(p.in, command+"\n"); err != nil {
		return m, err
	}
	line, err := p.out.ReadBytes('\n')
	if err != nil {
		return m, err
	}
	return m, json.Unmarshal(line, &m)
}

func one(name, framework string, streams int) (r row, err error) {
	self, err := os.Executable()
	if err != nil {
		return r, err
	}
	p := process{cmd: exec.Command(self, "-serve", name+"@"+framework)} //nolint:gosec // this very program
	p.cmd.Stderr = os.Stderr
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return r, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return r, err
	}
	p.out = bufio.NewReader(out)
	if err := p.cmd.Start(); err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, p.in.Close(), p.cmd.Wait()) }()
	addr, err := p.out.ReadString('\n')
	if err != nil {
		return r, err
	}
	before, err := p.do("look")
	if err != nil {
		return r, err
	}
	var l listeners
	defer l.close()
	if err := l.open(strings.TrimSpace(addr), streams); err != nil {
		return r, err
	}
	after, err := p.do("look")
	if err != nil {
		return r, err
	}
	n := float64(streams)
	r = row{
		Framework: framework, Contestant: name,
		Heap: (float64(after.Heap) - float64(before.Heap)) / n, Stack: (float64(after.Stack) - float64(before.Stack)) / n,
		Goroutines: float64(after.Goroutines-before.Goroutines) / n,
	}
	command := func(c string) func() error {
		return func() error {
			_, err := p.do(c)
			return err
		}
	}
	took, err := waited(&l.told, command("publish"))
	if err != nil {
		return r, err
	}
	r.Publish = took.Seconds() * 1000
	took, err = waited(&l.over, command("close"))
	r.Close = took.Seconds() * 1000
	return r, errors.Join(err, l.err())
}
