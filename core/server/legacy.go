package server

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/hub"
	"github.com/parleymcp/parley/core/server/internal/session"
)

// Defaults of [Legacy].
const (
	defaultSessions      = 10_000
	defaultOwnerSessions = 100
	defaultSessionIdle   = 30 * time.Minute
	defaultEventBuffer   = 64 << 10
	defaultParked        = 1000
	defaultOwnerParked   = 16
	defaultAnswerTimeout = 5 * time.Minute

	// What waiting calls keep of their requests is limited by a share for each
	// place; one call may have that of many others.
	parkedShare    = 64 << 10
	minParkedBytes = 8 << 20
)

// Legacy says how clients of the revisions before 2026-07-28 are served, on the
// same path as all others. The zero value serves all of these revisions
// without a state of their own: lists, calls, prompts, resources and
// completions work, and a handler that asks the user gets an error that names
// 2026-07-28. Sessions makes asking work for them, and announces changes.
type Legacy struct {
	// Off serves 2026-07-28 alone.
	Off bool

	// Versions are the older revisions that are served: "2025-11-25",
	// "2025-06-18" and "2025-03-26". None: all three.
	Versions []string

	// Sessions gives each client of an older revision a session (MCP 2025-11-25,
	// basic/transports): an event stream with what changes, resources to
	// subscribe to, a level of log messages, streams that go on after a lost
	// connection; and the bridge, which turns the questions of a handler into
	// requests to clients of 2025-11-25 and 2025-06-18 that declared what they
	// need, and runs the handler again with the answers.
	//
	// Sessions live in the memory of this process: several instances need a
	// balancer that keeps each client at one of them. A session is bound to the
	// principal who began it and says nothing about who is calling.
	Sessions bool

	// MaxSessions is how many sessions there may be at once, and
	// MaxSessionsPerPrincipal how many of them one principal may have; one more
	// is refused. Callers that nobody asks who they are share only the first
	// limit. 0: 10 000, and 100.
	MaxSessions, MaxSessionsPerPrincipal int

	// SessionIdle is how long a session may be unused before it ends; an open
	// event stream and a running call use it. 0: 30 minutes.
	SessionIdle time.Duration

	// EventBuffer is how many bytes of events a session keeps for clients that
	// lost a connection. What is older, or one minute old when its stream has
	// ended, cannot be asked for. 0: 64 KiB.
	EventBuffer int

	// MaxParked is how many calls may wait at once for a client to answer a
	// question, and MaxParkedPerPrincipal how many of one principal, with the
	// exception that MaxSessionsPerPrincipal has; one more fails at once. A
	// waiting call keeps its params in memory, and no handler: one more fails
	// also when all together would keep over 64 KiB a place, and 8 MiB. 0: 1000,
	// and 16.
	MaxParked, MaxParkedPerPrincipal int

	// AnswerTimeout is how long a call waits for the answers to one round of
	// questions before it fails. 0: 5 minutes.
	AnswerTimeout time.Duration

	// CancelOnDisconnect cancels a call when its client closes the connection,
	// as it is in 2026-07-28. The older revisions say that it goes on, and that
	// a client that wants it cancelled says so.
	CancelOnDisconnect bool
}

// legacyVersions are those that can be served, newest first.
var legacyVersions = []string{protocol.Version20251125, protocol.Version20250618, protocol.Version20250326}

func (l *Legacy) check() error {
	var errs []error
	bad := func(field string, value any, allowed string) {
		errs = append(errs, fmt.Errorf("parley: Config.Legacy.%s is %#v: %s", field, value, allowed))
	}
	for i, v := range l.Versions {
		if !slices.Contains(legacyVersions, v) {
			bad(fmt.Sprintf("Versions[%d]", i), v, fmt.Sprintf("one of %q is allowed", legacyVersions))
		}
	}
	if l.Off && len(l.Versions) > 0 {
		bad("Versions", l.Versions, "none is allowed with Off")
	}
	if l.Off && l.Sessions {
		bad("Sessions", true, "only false is allowed with Off")
	}
	for _, n := range []struct {
		field string
		value int64
		shown any
	}{
		{"MaxSessions", int64(l.MaxSessions), l.MaxSessions},
		{"MaxSessionsPerPrincipal", int64(l.MaxSessionsPerPrincipal), l.MaxSessionsPerPrincipal},
		{"SessionIdle", int64(l.SessionIdle), l.SessionIdle.String()},
		{"EventBuffer", int64(l.EventBuffer), l.EventBuffer},
		{"MaxParked", int64(l.MaxParked), l.MaxParked},
		{"MaxParkedPerPrincipal", int64(l.MaxParkedPerPrincipal), l.MaxParkedPerPrincipal},
		{"AnswerTimeout", int64(l.AnswerTimeout), l.AnswerTimeout.String()},
	} {
		switch {
		case n.value < 0:
			bad(n.field, n.shown, "0 or more is allowed")
		case n.value > 0 && !l.Sessions:
			bad(n.field, n.shown, "it needs Sessions")
		}
	}
	return errors.Join(errs...)
}

// served are the older revisions, newest first.
func (l *Legacy) served() []string {
	if l.Off {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(legacyVersions), func(v string) bool {
		return len(l.Versions) > 0 && !slices.Contains(l.Versions, v)
	})
}

func (l *Legacy) withDefaults() Legacy {
	d := *l
	d.MaxSessions = cmp.Or(d.MaxSessions, defaultSessions)
	d.MaxSessionsPerPrincipal = cmp.Or(d.MaxSessionsPerPrincipal, defaultOwnerSessions)
	d.SessionIdle = cmp.Or(d.SessionIdle, defaultSessionIdle)
	d.EventBuffer = cmp.Or(d.EventBuffer, defaultEventBuffer)
	d.MaxParked = cmp.Or(d.MaxParked, defaultParked)
	d.MaxParkedPerPrincipal = cmp.Or(d.MaxParkedPerPrincipal, defaultOwnerParked)
	d.AnswerTimeout = cmp.Or(d.AnswerTimeout, defaultAnswerTimeout)
	return d
}

// newSessions is nil where there are none.
func newSessions(l *Legacy, h *hub.Hub) *session.Table {
	if !l.Sessions {
		return nil
	}
	return session.New(session.Limits{
		Sessions: l.MaxSessions, SessionsPerOwner: l.MaxSessionsPerPrincipal,
		Parked: l.MaxParked, ParkedPerOwner: l.MaxParkedPerPrincipal, ParkedBytes: max(l.MaxParked*parkedShare, minParkedBytes),
		Idle: l.SessionIdle, Events: l.EventBuffer,
	}, h)
}
