package server

import (
	"log/slog"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/replay"
	"github.com/parleymcp/parley/core/seal"
)

// Defaults of [Config].
const (
	defaultMaxBody      = 4 << 20
	defaultKeepAlive    = 15 * time.Second
	defaultWriteTimeout = 30 * time.Second
	defaultMaxListens   = 10_000
	defaultRoundTTL     = 10 * time.Minute
	defaultFlowTTL      = time.Hour
	defaultMaxRounds    = 8
	defaultReplaySize   = 100_000
)

// Config is what an operator decides about a server. Name and Version are
// required; the zero value of every other field is the default its comment
// names. [New] copies what it needs: changing a Config afterwards does nothing.
type Config struct {
	// Name and Version say which program this is, in every result
	// (MCP 2026-07-28, basic: serverInfo). Neither may be blank.
	Name, Version string

	// Title is Name for people. Empty: left out.
	Title string

	// Instructions tell a model how to use the server as a whole; what is in the
	// descriptions of the tools need not be repeated. Empty: left out.
	Instructions string

	// WebsiteURL is the absolute http or https URL of the program's own page.
	// Empty: left out.
	WebsiteURL string

	// Icons are pictures of the program; their sources are https, http or data
	// URIs. None: left out.
	Icons []core.Icon

	// Keys seal what a multi round-trip request has to remember, which the
	// client keeps. The first active one seals, all that are not retired open.
	// Every instance of the server needs the same. None: a handler that needs
	// state fails with an error in the log that says how to make a key. See
	// [Server.SetKeys] for rotation.
	Keys []seal.Key

	// Authenticator says who is calling: jwtbind.Verify, jwtbind.FromContext,
	// [core.IdentityFromContext], or your own, such as a [core.PrincipalFunc]. It
	// is asked once for each request, before its body is read. Its error is
	// answered with a challenge, and its text goes to the log only. Nil: every
	// caller is [core.Anonymous].
	Authenticator core.Authenticator

	// Resource tells clients where to get a token for this server, in challenges
	// and in its metadata. It needs an Authenticator. Nil: they have to know.
	Resource *Resource

	// Replay remembers what [core.Commit] has done. Several instances need a
	// store that they share. Nil: the memory of this process.
	Replay replay.Store

	// ClaimEveryRound lets each requestState open once, and not only what is
	// behind a [core.Commit] happen once. A client whose answer was lost then
	// has to begin anew; a round that failed may be sent again.
	ClaimEveryRound bool

	// Audience is what sealed state is bound to besides the caller: state of one
	// audience opens nowhere else. Empty: Name.
	Audience string

	// Visible says which features a caller may see. One that he may not is in no
	// list, and unknown when it is called. It runs for every feature of a list
	// and for every call, so it must be quick, and safe for concurrent use. Nil:
	// everybody sees everything.
	Visible func(core.Principal, core.Feature) bool

	// AllowedOrigins are the web pages that may call the server, each as scheme,
	// host and port of its Origin header ("https://app.example"). A request
	// without the header is no web page's. None: only pages of loopback hosts,
	// and of the server's own host where that is trusted.
	AllowedOrigins []string

	// AllowedHosts are the names, each with its port if it is not the default
	// one, under which the server may be called; all others are answered with
	// 403. It is what stops DNS rebinding, and what a server behind a proxy on
	// the same machine needs. None: a connection that arrives on a loopback
	// address must name a loopback host, and all others may name any.
	AllowedHosts []string

	// Legacy says how clients of the revisions before 2026-07-28 are served. The
	// zero value serves them without sessions.
	Legacy Legacy

	// MaxBody is the length of a request body in bytes beyond which it is
	// answered with 413. 0: 4 MiB.
	MaxBody int64

	// KeepAlive is how long an event stream may be quiet before a comment is
	// written to it, and how long a call may run before its answer becomes an
	// event stream, if the client accepts one. 0: 15 seconds. (In tests, bubbles of
	// testing/synctest that run at the same time need a server each: calls wait in
	// one line.)
	KeepAlive time.Duration

	// WriteTimeout is the time that one write to a client may take; a client
	// that reads more slowly is gone. 0: 30 seconds.
	WriteTimeout time.Duration

	// MaxListens is how many subscriptions/listen streams may be open at once;
	// one more is answered with −32603. 0: 10 000. Each may name at most 1024
	// resources, with 64 KiB of URIs in all.
	MaxListens int

	// RoundTTL is how long a client may take to answer one round of questions,
	// FlowTTL how long all of them together. 0: 10 minutes, and 1 hour.
	RoundTTL, FlowTTL time.Duration

	// MaxRounds is how many rounds of questions one call may have, at most
	// 65 535. 0: 8; the usual clients stop at 10.
	MaxRounds int

	// PageSize is how many features one page of a list has. 0: all of them.
	PageSize int

	// ListTTL is how long a client may keep a list, or the answer to
	// server/discover, before it asks again; it is sent in whole milliseconds.
	// 0: it should ask every time.
	ListTTL time.Duration

	// DangerouslyPublicLists lets caches keep lists for everybody. It must not
	// be set where a list is not for everybody to see, and cannot be set
	// together with Visible.
	DangerouslyPublicLists bool

	// RedactErrors keeps the text of a tool's plain error in the log; the model
	// gets a fixed text instead.
	RedactErrors bool

	// Logger takes the records of the server. They never hold a token or an
	// answer; who called is the attribute "principal", with the fingerprint that
	// [core.Principal.Fingerprint] explains. Nil: [slog.Default], as it is when
	// New is called; what clients are not told stands nowhere else.
	Logger *slog.Logger

	// Metrics counts what happens. Nil: nobody counts.
	Metrics Metrics
}
