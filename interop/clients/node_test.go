package clients_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/parleymcp/parley/internal/npm"
)

// A driver is a process that drives a client in JavaScript, in any number of
// sessions.
type driver struct {
	cmd    *exec.Cmd
	stderr bytes.Buffer
	stdin  io.WriteCloser

	mu      sync.Mutex
	last    int
	waiting map[int]chan reply
	ended   chan struct{} // closed when its output has ended
}

// message is what is written to a driver, and read from it.
type message struct {
	op
	ID      int    `json:"id,omitempty"`
	Session string `json:"session,omitempty"`
	URL     string `json:"url,omitempty"`
	Token   string `json:"token,omitempty"`
	Version string `json:"version,omitempty"`
	Abort   int    `json:"abort,omitempty"`
}

type answer struct {
	ID int `json:"id"`
	reply
}

// installed is a folder with the drivers, in which they find what they import.
var installed = sync.OnceValues(func() (dir string, err error) {
	modules := os.Getenv("PARLEY_INTEROP_MODULES")
	if modules == "" {
		if modules, err = npm.Install(context.Background(), "../node", "../../.tmp", "interop"); err != nil {
			return "", err
		}
	}
	if modules, err = filepath.Abs(modules); err != nil {
		return "", err
	}
	if dir, err = os.MkdirTemp(scratch, "node"); err != nil {
		return "", err
	}
	return dir, errors.Join(
		os.CopyFS(dir, os.DirFS("../node")),
		os.Symlink(modules, filepath.Join(dir, "node_modules")))
})

// drivers are one process for each script, for all tests.
var drivers sync.Map // script → func() (*driver, error)

// driven is a client that a script of ../node drives.
func driven(script string) func(t *testing.T, url, token, version string) session {
	return func(t *testing.T, url, token, version string) session {
		t.Helper()
		dir, err := installed()
		if errors.Is(err, exec.ErrNotFound) && os.Getenv("PARLEY_REQUIRE_CONFORMANCE") == "" {
			t.Skipf("this client comes from npm, and there is none here: %v", err)
		}
		if err != nil {
			t.Fatal(err)
		}
		once, _ := drivers.LoadOrStore(script, sync.OnceValues(func() (*driver, error) { return startDriver(dir, script) }))
		d, err := once.(func() (*driver, error))()
		if err != nil {
			t.Fatal(err)
		}
		s := &drivenSession{d, t.Name() + url}
		r, err := d.send(t.Context(), message{op: op{Do: "connect"}, Session: s.name, URL: url, Token: token, Version: version})
		if err != nil {
			t.Fatal(err)
		}
		if r.Error != nil {
			t.Fatalf("to connect: %s", r.Error.Message)
		}
		return s
	}
}

func startDriver(dir, script string) (*driver, error) {
	home, err := os.MkdirTemp(scratch, "home")
	if err != nil {
		return nil, err
	}
	d := &driver{waiting: map[int]chan reply{}, ended: make(chan struct{})}
	d.cmd = exec.Command(npm.Node(filepath.Join(dir, "node_modules")), script) //nolint:noctx // stopDrivers ends it
	d.cmd.Dir, d.cmd.Stderr = dir, &d.stderr
	d.cmd.Env = append(os.Environ(), "HOME="+home, "MCP_INSPECTOR_SECRET_STORE=file", "NO_COLOR=1")
	if d.stdin, err = d.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := d.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := d.cmd.Start(); err != nil {
		return nil, err
	}
	go d.listen(stdout)
	return d, nil
}

func (d *driver) listen(stdout io.Reader) {
	defer close(d.ended)
	lines := bufio.NewScanner(stdout)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var a answer
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			a.Error = &failure{Message: fmt.Sprintf("the driver wrote %.200q: %v", lines.Text(), err)}
		}
		d.mu.Lock()
		waiting := d.waiting[a.ID]
		delete(d.waiting, a.ID)
		d.mu.Unlock()
		if waiting != nil {
			waiting <- a.reply
		}
	}
}

// send has the driver do something, and tells it to give up when ctx is done.
func (d *driver) send(ctx context.Context, m message) (reply, error) {
	came := make(chan reply, 1)
	d.mu.Lock()
	d.last++
	m.ID = d.last
	d.waiting[m.ID] = came
	err := d.write(m)
	d.mu.Unlock()
	if err != nil {
		return reply{}, err
	}
	givenUp := context.AfterFunc(ctx, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		_ = d.write(message{Abort: m.ID}) // one that has ended ends the wait as well
	})
	defer givenUp()
	patience := time.NewTimer(timeout)
	defer patience.Stop()
	select {
	case r := <-came:
		return r, nil
	case <-d.ended:
		return reply{}, errors.New("the driver has ended")
	case <-patience.C:
		return reply{}, errors.New("the driver does not answer")
	}
}

func (d *driver) write(m message) error {
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	_, err = d.stdin.Write(append(line, '\n'))
	return err
}

// stopDrivers ends all drivers. It is an error if one does not end by itself.
func stopDrivers() error {
	var errs []error
	drivers.Range(func(script, once any) bool {
		d, err := once.(func() (*driver, error))()
		if err != nil {
			return true // a test has failed with it
		}
		errs = append(errs, d.stdin.Close())
		kill := time.AfterFunc(grace, func() { _ = d.cmd.Process.Kill() })
		defer kill.Stop()
		<-d.ended
		if err := d.cmd.Wait(); err != nil {
			errs = append(errs, fmt.Errorf("%v: %w\n%s", script, err, tail(d.stderr.String(), 4000)))
		}
		if os.Getenv("PARLEY_INTEROP_VERBOSE") != "" {
			fmt.Fprintf(os.Stderr, "%v wrote:\n%s", script, d.stderr.String())
		}
		return true
	})
	return errors.Join(errs...)
}

type drivenSession struct {
	*driver
	name string
}

func (s *drivenSession) do(ctx context.Context, o op) (reply, error) {
	return s.send(ctx, message{op: o, Session: s.name})
}

func (s *drivenSession) close() error {
	r, err := s.send(context.Background(), message{op: op{Do: "close"}, Session: s.name})
	if err == nil && r.Error != nil {
		err = errors.New(r.Error.Message)
	}
	return err
}
