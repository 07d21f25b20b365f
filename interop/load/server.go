package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/parleymcp/parley/interop/contest"
	_ "github.com/parleymcp/parley/interop/contest/peers"
)

// serveAs serves the small call as one contestant, says where, and ends with
// its standard input.
func serveAs(who string) error {
	name, framework, _ := strings.Cut(who, "@")
	call := contest.Small()
	e, ok := contest.Contestant(name, framework, &call)
	if !ok {
		return fmt.Errorf("load: nobody is %q", who)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	_, _ = fmt.Fprintln(os.Stdout, listener.Addr())
	failed := make(chan error, 1)
	go func() {
		if e.App != nil {
			failed <- e.App.Listener(listener)
			return
		}
		failed <- (&http.Server{Handler: e.HTTP, ReadHeaderTimeout: 10 * time.Second}).Serve(listener)
	}()
	ended := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(ended)
	}()
	select {
	case err := <-failed:
		return err
	case <-ended:
		return nil
	}
}

// server is a contestant's process.
type server struct {
	name, framework string

	addr  string
	cmd   *exec.Cmd
	stdin io.Closer
}

// start starts a contestant on a core of its own, where the machine has
// taskset.
func start(name, framework, core string) (*server, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	args := []string{self, "-serve", name + "@" + framework}
	if taskset, err := exec.LookPath("taskset"); err == nil {
		args = append([]string{taskset, "-c", core}, args...)
	}
	s := &server{name: name, framework: framework, cmd: exec.Command(args[0], args[1:]...)} //nolint:gosec // this very program
	s.cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	s.cmd.Stderr = os.Stderr
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.stdin = in
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	s.addr = strings.TrimSpace(line)
	return s, nil
}

// processor is how many nanoseconds of processor time the process has used, 0
// where the system does not tell.
func (s *server) processor() float64 {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", s.cmd.Process.Pid))
	total := 0.0
	for _, thread := range threads {
		text, _ := os.ReadFile(thread) //nolint:gosec // of the kernel
		used, _, _ := strings.Cut(string(text), " ")
		n, _ := strconv.ParseFloat(used, 64)
		total += n
	}
	return total
}

func (s *server) stop() error {
	return errors.Join(s.stdin.Close(), s.cmd.Wait())
}
