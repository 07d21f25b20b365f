package adaptertest

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server"
)

const (
	// writeTimeout is the framework's where it matters: whatever takes longer has
	// to survive it (T13). Elsewhere it is lenient, since a busy machine may stand
	// still for a while.
	writeTimeout = 300 * time.Millisecond
	lenient      = 15 * time.Second

	// keepAlive is short, so that what depends on it can be waited for.
	keepAlive = 200 * time.Millisecond

	// maxBody is small, so that too large is cheap.
	maxBody = 64 << 10

	// patience is how long anything may take on a busy machine. Nothing waits
	// for so long that works.
	patience = 20 * time.Second
)

// secret is the text of a panic; no client may see it.
const secret = "the password is swordfish"

// house is a server and what its tools report.
type house struct {
	server *server.Server
	holds  *holds
	runs   atomic.Int64 // of interview
}

func newHouse(t testing.TB, change func(*server.Config)) *house {
	t.Helper()
	cfg := server.Config{
		Name: "adaptertest", Version: "1.0.0", Keys: []seal.Key{seal.EphemeralKey()},
		Authenticator: handedOver{core.IdentityFromContext()}, Resource: &resource, MaxBody: maxBody, KeepAlive: keepAlive, WriteTimeout: lenient,
	}
	if change != nil {
		change(&cfg)
	}
	h := &house{holds: &holds{all: map[string]*hold{}}}
	srv, err := server.New(cfg, h.features()...)
	if err != nil {
		t.Fatal(err)
	}
	h.server = srv
	return h
}

// impatient lets a write take no longer than a strict framework does.
func impatient(c *server.Config) { c.WriteTimeout = writeTimeout }

func (h *house) features() []core.Feature {
	return []core.Feature{
		core.NewTool("echo", "Says what it was told, and by whom.", echo),
		core.NewTool("count", "Reports progress n times.", count),
		core.NewTool("work", "Works for some time.", work),
		core.NewTool("hold", "Waits until it is let go.", h.hold),
		core.NewTool("linger", "Works on when its client has gone.", h.linger),
		core.NewTool("flood", "Says more than anybody reads.", h.flood),
		core.NewTool("panic", "Panics.", fault(func() { panic(secret) })),
		core.NewTool("exit", "Ends its goroutine.", fault(runtime.Goexit)),
		core.NewTool("greet", "Asks for a name.", greet),
		core.NewTool("guarded", "Asks for a name, with a scope.", guarded, core.Scopes(scope)),
		core.NewPrompt("greet", "Asks for a name.", greet),
		core.NewResource("test://greet", "greet", func(ctx context.Context, ev *core.Event) (string, error) {
			return greet(ctx, ev, core.NoInput{})
		}),
	}
}

type echoInput struct {
	Text   string `json:"text"`
	Stream bool   `json:"stream,omitempty"`
}

// echo returns all that belongs to one request and no other.
func echo(ctx context.Context, ev *core.Event, in echoInput) (string, error) {
	if in.Stream {
		ev.Progress(1, 1, in.Text)
	}
	return strings.Join([]string{in.Text, ev.Header(UserHeader), userOf(ctx), ev.Principal().Subject}, "|"), nil
}

type countInput struct {
	N int `json:"n"`
}

func count(_ context.Context, ev *core.Event, in countInput) (string, error) {
	for i := range in.N {
		ev.Progress(float64(i+1), float64(in.N), "")
	}
	return "counted", nil
}

type workInput struct {
	Milliseconds int  `json:"milliseconds"`
	Progress     bool `json:"progress,omitempty"` // ten times
}

func work(ctx context.Context, ev *core.Event, in workInput) (string, error) {
	tick := time.NewTicker(time.Duration(in.Milliseconds) * time.Millisecond / 10)
	defer tick.Stop()
	for i := range 10 {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return "", context.Cause(ctx)
		}
		if in.Progress {
			ev.Progress(float64(i+1), 10, "")
		}
	}
	return "done", nil
}

type faultInput struct {
	Stream bool `json:"stream,omitempty"` // after the first event
}

func fault(f func()) func(context.Context, *core.Event, faultInput) (string, error) {
	return func(_ context.Context, ev *core.Event, in faultInput) (string, error) {
		if in.Stream {
			ev.Progress(1, 2, "")
		}
		f()
		return "", errors.New("still here")
	}
}

type name struct {
	Name string `json:"name"`
}

type round struct{ N int }

var (
	askName = core.Form[name]("name", "What is your name?")
	rounds  = core.NewState[round]("rounds")
)

// greet asks by returning, and remembers that it has.
func greet(ctx context.Context, ev *core.Event, _ core.NoInput) (string, error) {
	st, err := rounds.Open(ev)
	if err != nil {
		return "", err
	}
	answer, ok := askName.Accepted(ev)
	if !ok {
		return "", rounds.InputRequired(ev, round{N: st.N + 1}, askName)
	}
	if st.N != 1 {
		return "", errors.New("the round is lost")
	}
	return "Hello, " + answer.Name + "! You are " + userOf(ctx) + ".", nil
}

// hold is one call of the tool of that name, known to the test by its id.
type hold struct {
	started, release, ended chan struct{}
	cause                   error  // of the context, set before ended
	saw                     string // of the request, set before ended
}

type holds struct {
	mu  sync.Mutex
	all map[string]*hold
}

func (h *holds) get(id string) *hold {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.all[id] == nil {
		h.all[id] = &hold{started: make(chan struct{}), release: make(chan struct{}), ended: make(chan struct{})}
	}
	return h.all[id]
}

type holdInput struct {
	ID     string `json:"id"`
	Stream bool   `json:"stream,omitempty"`
}

func (h *house) hold(ctx context.Context, ev *core.Event, in holdInput) (string, error) {
	held := h.holds.get(in.ID)
	if in.Stream {
		ev.Progress(1, 2, "")
	}
	close(held.started)
	defer close(held.ended)
	select {
	case <-held.release:
		return "let go", nil
	case <-ctx.Done():
		held.cause = context.Cause(ctx)
		return "", held.cause
	}
}

// linger looks at its request when that is long over.
func (h *house) linger(ctx context.Context, ev *core.Event, in holdInput) (string, error) {
	held := h.holds.get(in.ID)
	ev.Progress(1, 2, "")
	<-ctx.Done()
	close(held.started)
	defer close(held.ended)
	<-held.release
	held.saw = strings.Join([]string{
		in.ID, string(ev.Arguments()), ev.Header(UserHeader), userOf(ctx), ev.Principal().Subject, ev.Target(),
	}, " ")
	return "", nil
}

// flood sends large events until nobody takes them.
func (h *house) flood(ctx context.Context, ev *core.Event, in holdInput) (string, error) {
	held := h.holds.get(in.ID)
	close(held.started)
	defer close(held.ended)
	message := strings.Repeat("x", maxBody)
	for i := 1; ctx.Err() == nil; i++ {
		ev.Progress(float64(i), 0, message)
	}
	held.cause = context.Cause(ctx)
	return "", held.cause
}

// wait fails the test if ch is not closed in time.
func wait(t testing.TB, ch <-chan struct{}, what string) {
	t.Helper()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-ch:
	case <-timer.C:
		t.Fatalf("%s: not within %v", what, patience)
	}
}
