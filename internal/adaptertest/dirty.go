package adaptertest

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server"
)

// testDirty has hundreds of clients of older revisions leave without a word, in
// the middle of whatever they do. Nothing is left of them (T26).
func testDirty(t *testing.T, f *fixture) {
	const (
		clients, atOnce = 500, 50
		idle            = 400 * time.Millisecond
	)
	f = f.sessions(t, func(c *server.Config) {
		c.Legacy.SessionIdle, c.Legacy.MaxSessionsPerPrincipal, c.Legacy.AnswerTimeout = idle, 1, idle
	})
	base, files := f.quiet(t), openFiles(t)
	began := time.Now()
	var all sync.WaitGroup
	for worker := range atOnce {
		all.Go(func() {
			for i := worker; i < clients; i += atOnce {
				f.dirty(t, i)
			}
		})
	}
	all.Wait()
	stormed := time.Since(began)
	eventually(t, "goroutines are left", func() bool { return len(Goroutines()) <= base })
	eventually(t, "connections are left", func() bool { return openFiles(t) <= files })
	t.Logf("%d disconnects in %v; nothing left %v later", clients, stormed.Round(time.Millisecond), (time.Since(began) - stormed).Round(time.Millisecond))

	// No session is left: everybody may begin the only one that he may have.
	<-time.After(idle + idle/2)
	c := newClient(t, f.app)
	for i := range clients {
		o := &older{client: c, version: protocol.Version20251125, user: dirtyUser(i)}
		began := time.Now()
		if a := o.do(o.post(t.Context(), o.handshake(everything))); a.message.Result == nil {
			t.Errorf("%s has a session left: %s", o.user, a.body)
		}
		if i > 0 {
			continue
		}
		if a := o.do(o.post(t.Context(), o.handshake(everything))); a.message.Result != nil && time.Since(began) < idle {
			t.Error("two sessions of one user: the test sees nothing")
		}
	}
}

func dirtyUser(i int) string { return fmt.Sprint("user-", i) }

// dirty is one client that leaves at a random moment, by a reset or by closing
// with half of the answer unread.
func (f *fixture) dirty(t *testing.T, i int) {
	o := &older{client: newClient(t, f.app), version: protocol.Version20251125, user: dirtyUser(i)}
	defer o.http.CloseIdleConnections()
	chance := rand.New(rand.NewPCG(0, uint64(i))) //nolint:gosec // the same each time
	req := o.post(t.Context(), o.handshake(everything))
	if i%5 == 0 {
		f.drop(t, chance, req)
		return
	}
	a, err := o.try(req)
	if err != nil || a.status != http.StatusOK {
		t.Errorf("initialize: status %d, body %s, %v", a.status, a.body, err)
		return
	}
	o.session = a.header.Get(sessionHeader)
	switch i % 5 {
	case 1:
		f.drop(t, chance, o.get(t.Context(), ""))
	case 2:
		f.drop(t, chance, o.post(t.Context(), o.tool("work", object{"milliseconds": 100, "progress": i%2 == 0})))
	case 3:
		f.drop(t, chance, o.post(t.Context(), o.tool("interview", object{})))
	case 4:
		f.drop(t, chance, o.post(t.Context(), o.tool("interview", object{})))
		f.drop(t, chance, o.get(t.Context(), "1-0"))
	}
}

// drop sends a request, perhaps not all of it, and leaves soon.
func (f *fixture) drop(t *testing.T, chance *rand.Rand, req *http.Request) {
	conn, err := new(net.Dialer).DialContext(req.Context(), "tcp", f.app.Addr)
	if err != nil {
		t.Error(err)
		return
	}
	defer conn.Close()
	var wire bytes.Buffer
	if err := req.Write(&wire); err != nil {
		t.Error(err)
		return
	}
	sent := wire.Bytes()
	if chance.IntN(5) == 0 {
		sent = sent[:chance.IntN(len(sent))]
	}
	if _, err := conn.Write(sent); err != nil {
		t.Error(err)
		return
	}
	_ = conn.SetReadDeadline(time.Now().Add(time.Duration(chance.Int64N(60e6))))
	_, _ = io.CopyN(io.Discard, conn, chance.Int64N(400))
	if tcp, ok := conn.(*net.TCPConn); ok && chance.IntN(2) == 0 {
		_ = tcp.SetLinger(0) // a reset
	}
}
