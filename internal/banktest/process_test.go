package banktest_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const (
	grace    = 5 * time.Second // for a bank to end once it was told to
	lifetime = 2 * time.Minute // of a bank, whatever hangs

	issuer   = "https://id.bank.example"
	audience = "https://bank.example/mcp"

	// Keys of state, and the one that signs tokens.
	key1   = "8f1d0c6be2a94753b01e5d7c2f9a684410c7d3e5a96b2f81d47e03bc5a1968f2"
	key2   = "c0a37be94f5d1826e3b7098d4cf2a165718e3bd0629fc4a5b83d71e60f2c94ab"
	hmac   = "51d8e20f7ab34c96e8f10d2b6a9573c4d0e7f2183b5a4c69f1820d7e9b3a6c54"
	usable = "active:" + key1
)

var frameworks = []string{"stdlib", "chi", "gin", "fiber"}

// bank is one process.
type bank struct {
	url    string
	cmd    *exec.Cmd
	stdout *bufio.Reader
	stderr *os.File // written by the process itself: what it has logged is there at once
	cancel context.CancelFunc

	mu      sync.Mutex
	secrets map[string]string // what must not be in the log, by what it is
}

// run starts a bank and waits until it says where it listens. Tokens are good
// for it; args say the rest, and win.
func run(args ...string) (*bank, error) {
	if err := sources(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), lifetime)
	b := &bank{cancel: cancel, secrets: map[string]string{key1: "key", key2: "key", hmac: "key"}}
	args = append([]string{"-addr", "127.0.0.1:0", "-keys", usable, "-hmac", hmac, "-issuer", issuer, "-audience", audience}, args...)
	b.cmd = exec.CommandContext(ctx, binary, args...)
	stdout, err := b.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	b.stdout = bufio.NewReader(stdout)
	if b.stderr, err = os.CreateTemp(filepath.Dir(binary), "log"); err != nil {
		return nil, err
	}
	b.cmd.Stderr = b.stderr
	if err := b.cmd.Start(); err != nil {
		return nil, err
	}
	line, err := b.stdout.ReadString('\n')
	url, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "listening on ")
	if err != nil || !ok {
		return nil, errors.Join(fmt.Errorf("the first line is %q (%w), want the address", line, err), b.stop())
	}
	b.url = url
	return b, nil
}

// start starts a bank for one test.
func start(t *testing.T, args ...string) *bank {
	t.Helper()
	b, err := run(args...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.stop(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// stop sends SIGTERM. It is an error if the bank did not end in time with exit
// code 0, if it says more than where it listens, or if its log holds a secret.
func (b *bank) stop() error {
	defer b.cancel()
	client.CloseIdleConnections() // fasthttp waits for them
	errs := []error{b.cmd.Process.Signal(syscall.SIGTERM)}
	kill := time.AfterFunc(grace, func() { _ = b.cmd.Process.Kill() })
	defer kill.Stop()
	rest, err := io.ReadAll(b.stdout) // ends with the process
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("the bank goes on to say %q", rest)
	}
	errs = append(errs, err, b.cmd.Wait())
	log := b.log()
	for secret, kind := range b.secrets {
		if i := strings.Index(log, secret); i >= 0 {
			errs = append(errs, fmt.Errorf("a %s is in the log: %q", kind, log[max(0, i-200):min(len(log), i+100)]))
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("%v: %w\n%s", b.cmd, err, log[max(0, len(log)-4000):])
	}
	return b.stderr.Close()
}

// log is what the bank has written to standard error.
func (b *bank) log() string {
	raw, err := io.ReadAll(io.NewSectionReader(b.stderr, 0, math.MaxInt64)) // the process writes at the end
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// conceal says what must not be in the log.
func (b *bank) conceal(kind, secret string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.secrets[secret] = kind
}

// shared is a bank for each framework, for tests that need none of their own. It
// serves callers with and without a token.
var shared sync.Map // framework → func() (*bank, error)

func sharedBank(t *testing.T, framework string) *bank {
	t.Helper()
	once, _ := shared.LoadOrStore(framework, sync.OnceValues(func() (*bank, error) {
		return run("-framework", framework, "-anonymous")
	}))
	b, err := once.(func() (*bank, error))()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func stopShared() error {
	var errs []error
	shared.Range(func(_, once any) bool {
		if b, err := once.(func() (*bank, error))(); err == nil {
			errs = append(errs, b.stop())
		}
		return true
	})
	return errors.Join(errs...)
}

// onEach runs a test on the shared bank of every framework.
func onEach(t *testing.T, test func(t *testing.T, b *bank)) {
	t.Parallel()
	for _, framework := range frameworks {
		t.Run(framework, func(t *testing.T) {
			t.Parallel()
			test(t, sharedBank(t, framework))
		})
	}
}
