package core

import (
	"encoding/json"
	"log/slog"
	"time"

	"github.com/parleymcp/parley/core/replay"
	"github.com/parleymcp/parley/core/seal"
)

// This file holds the few names a transport needs: core/server and
// core/coretest use them, a tool author does not.

// Host is what every call of one server shares. A zero duration or count is
// the default that its comment names.
type Host struct {
	Keys         *seal.Ring          // nil: typed state and flows are an error that says how to make a key
	Audience     string              // what sealed state is bound to, besides the caller; empty is an audience like any other
	Replay       replay.Store        // nil: Commit refuses
	EveryRound   bool                // each token opens once, also without a Commit
	Logger       *slog.Logger        // nil: discard
	Count        func(reason string) // stable reasons for metrics; nil: nobody counts
	RoundTTL     time.Duration       // one round of a flow; 10 minutes
	FlowTTL      time.Duration       // a whole flow; 1 hour
	MaxRounds    int                 // rounds of a flow; 8
	RedactErrors bool                // a plain error's text stays in the log
	Misused      func(error)         // told of every mistake of a handler; for tests
	Now          func() time.Time    // time.Now

	// Texts says that the transport takes a string for the result of a tool that
	// returns one. To make a ToolResult of it was an eighth of what a small call
	// allocated.
	Texts bool
}

// Call is one request for a feature, checked by the transport.
type Call struct {
	Method    string          // tools/call, prompts/get, resources/read, completion/complete
	Target    string          // tool or prompt name, resource URI
	Version   string          // negotiated protocol revision
	Arguments json.RawMessage // as received, without a repeated member name at any depth; nil: absent

	CanAsk       bool            // false: a legacy request without a way back to the client
	Client       json.RawMessage // clientInfo; nil: not sent
	Capabilities json.RawMessage // the client's; nil: none declared

	Responses map[string]json.RawMessage // inputResponses
	State     *string                    // requestState; nil: absent

	Principal Principal
	Scopes    []string      // that the caller was granted on this request
	Header    Header        // nil: none
	Trace     *TraceContext // from _meta; nil: none

	Notifier      Notifier        // nil: no notification can be delivered
	ProgressToken json.RawMessage // nil: no progress wanted
	LogLevel      string          // "": no log messages wanted
}

// Notifier sends notifications about a request. It is safe for concurrent use;
// an error means that the client has gone. (As a function it was one more
// allocation of every call.)
type Notifier interface {
	Notify(method string, params any) error
}

// Outcome is how a call ended: with exactly one of Result, Interim and Error.
type Outcome struct {
	Result  any // *ToolResult, string with Host.Texts, *PromptResult, *ResourceResult; of RunCompleter: *Completion
	Interim *Interim
	Error   *Error

	// BadRequest says that Error is the request's own fault, found before or
	// beside the handler: its HTTP status is 400 while nothing was written.
	BadRequest bool

	// Cause is the error that the handler returned, for tests and logs; it never
	// goes to a client.
	Cause error
}

// Interim is a result that asks the client for input before the call can go
// on (MCP 2026-07-28, basic/patterns/mrtr). It has no other members.
type Interim struct {
	Requests []Request
	State    string // requestState; "": none
}

// Request is one embedded request of an interim result.
type Request struct {
	Key, Method string
	Params      json.RawMessage
}

// Completion is what a completer found.
type Completion struct{ Values []string }

// Kind tells the four kinds of features apart.
type Kind uint8

// The kinds of features.
const (
	KindTool Kind = iota + 1
	KindPrompt
	KindResource
	KindTemplate
)

// String is the kind's name.
func (k Kind) String() string {
	switch k {
	case KindTool:
		return "tool"
	case KindPrompt:
		return "prompt"
	case KindResource:
		return "resource"
	case KindTemplate:
		return "resource template"
	}
	return "feature"
}

// FeatureInfo is what a transport lists, routes by and checks. It is shared
// and read-only.
type FeatureInfo struct {
	Kind       Kind
	Name       string                // tool or prompt name, resource URI, URI template
	Definition any                   // *protocol.Tool, *protocol.Prompt, *protocol.Resource, *protocol.ResourceTemplate
	Headers    []HeaderParam         // arguments mirrored into Mcp-Param-* headers; tools only
	Completes  []string              // arguments with a completer; prompts and templates
	Match      func(uri string) bool // templates only
	Cache      CacheHint             // resources and templates
	Scopes     []string              // what a caller needs, all of them; nil: none
	Problems   []error               // what a registration must refuse, each naming the feature

	completers map[string]completer
}

// HeaderParam is an argument that a client mirrors into a header
// (MCP 2026-07-28, basic/transports: x-mcp-header).
type HeaderParam struct {
	Name string   // the header is Mcp-Param-<Name>
	Path []string // property names from the root of the arguments
	Type string   // "string", "integer" or "boolean"
}

// CacheHint says how long, and by whom, a complete resources/read result may
// be kept.
type CacheHint struct {
	TTL    time.Duration
	Public bool // false: by this caller only
}

// Info returns what a transport needs to know of f.
func Info(f Feature) *FeatureInfo { return f.describe() }
