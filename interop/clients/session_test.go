package clients_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// An op is one thing that a client is told to do. It is what a driver in
// JavaScript reads.
type op struct {
	Do        string         `json:"do"`
	Name      string         `json:"name,omitempty"` // of a tool or prompt; a URI; a kind of list
	Arguments map[string]any `json:"arguments,omitempty"`
	User      string         `json:"user,omitempty"`     // what the user does when asked: accept (or nothing), decline, cancel
	Patience  int64          `json:"patience,omitempty"` // of doChanges, in milliseconds
	GiveUp    bool           `json:"giveUp,omitempty"`   // the call will be given up
	Steps     int            `json:"steps,omitempty"`    // how often progress is made: some clients hand it over after the result
	atBank    bool
}

// What a client can be told to do.
const (
	doList     = "list" // Name: tools, prompts, resources, resourceTemplates; all pages
	doCall     = "call"
	doGet      = "get"
	doRead     = "read"
	doComplete = "complete" // Name: a prompt; Arguments: one, and what was typed
	doWatch    = "watch"    // Name: a URI; and the list of tools. Returns when changes will be seen
	doChanges  = "changes"  // waits for what Name says, returns what has come since doWatch
)

// A reply is what a client makes of it.
type reply struct {
	Asked    []question `json:"asked"`    // in this order, except those of one round
	Progress []string   `json:"progress"` // progress/total message
	// Result is the result as the client shows it, in the shape of the protocol;
	// of doList and doChanges a list of strings.
	Result json.RawMessage `json:"result"`
	Error  *failure        `json:"error"`
}

type question struct {
	Kind    string `json:"kind"` // form, url, sampling, roots
	Message string `json:"message"`
	URL     string `json:"url"`
}

type failure struct {
	Code    int    `json:"code"` // 0 if the client does not tell
	Message string `json:"message"`
}

// A session is a client that is connected to a server. Calling do several times
// at once is allowed. When ctx is done the client is told to give up that op, and
// do returns how it did.
type session interface {
	do(ctx context.Context, o op) (reply, error)
	close() error
}

// shown is a result with the members that some feature has.
type shown struct {
	Content           []content       `json:"content"`
	StructuredContent json.RawMessage `json:"structuredContent"`
	IsError           bool            `json:"isError"`
	Messages          []struct {
		Role    string  `json:"role"`
		Content content `json:"content"`
	} `json:"messages"`
	Contents []struct {
		URI      string `json:"uri"`
		MIMEType string `json:"mimeType"`
		Text     string `json:"text"`
		Blob     []byte `json:"blob"`
	} `json:"contents"`
	Completion *struct {
		Values []string `json:"values"`
	} `json:"completion"`
}

type content struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	MIMEType string `json:"mimeType"`
	Data     []byte `json:"data"`
	Resource *struct {
		URI      string `json:"uri"`
		MIMEType string `json:"mimeType"`
		Text     string `json:"text"`
	} `json:"resource"`
}

// lines writes down a reply, so that two can be compared, and read.
func (r reply) lines() ([]string, error) {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	for _, q := range r.Asked {
		say("%s", strings.TrimSpace(strings.Join([]string{"asked", q.Kind + ":", q.Message, q.URL}, " ")))
	}
	for _, p := range r.Progress {
		say("progress %s", p)
	}
	if r.Error != nil {
		say("error %d", r.Error.Code)
		if r.Error.Code == 0 {
			say("%s", r.Error.Message)
		}
		return out, nil
	}
	var list []string
	if json.Unmarshal(r.Result, &list) == nil {
		return append(out, list...), nil
	}
	var res shown
	if err := json.Unmarshal(r.Result, &res); err != nil {
		return nil, fmt.Errorf("result %s: %w", r.Result, err)
	}
	for _, c := range res.Content {
		say("%s", c)
	}
	if len(res.StructuredContent) > 0 {
		canonical, err := sorted(res.StructuredContent)
		if err != nil {
			return nil, err
		}
		say("structured %s", canonical)
	}
	if res.IsError {
		say("isError")
	}
	for _, m := range res.Messages {
		say("%s: %s", m.Role, m.Content)
	}
	for _, c := range res.Contents {
		say("%s %s %q %d bytes", c.URI, c.MIMEType, c.Text, len(c.Blob))
	}
	if res.Completion != nil {
		say("values %s", strings.Join(res.Completion.Values, " "))
	}
	return out, nil
}

func (c content) String() string {
	switch {
	case c.Type == "text":
		return "text " + c.Text
	case c.Resource != nil:
		return fmt.Sprintf("resource %s %s %s", c.Resource.URI, c.Resource.MIMEType, c.Resource.Text)
	}
	return fmt.Sprintf("%s %s %d bytes", c.Type, c.MIMEType, len(c.Data))
}

// sorted is a JSON value with its members in order: not every client keeps it.
func sorted(value json.RawMessage) (string, error) {
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		return "", err
	}
	out, err := json.Marshal(v)
	return string(out), err
}

// run does ops one after the other and writes down what comes of them.
func run(ctx context.Context, servers sessions, ops ...op) ([]string, error) {
	var out []string
	for _, o := range ops {
		r, err := servers.at(o).do(ctx, o)
		if err != nil {
			return out, fmt.Errorf("%s %s: %w", o.Do, o.Name, err)
		}
		more, err := r.lines()
		if err != nil {
			return out, fmt.Errorf("%s %s: %w", o.Do, o.Name, err)
		}
		out = append(out, more...)
	}
	return out, nil
}

// sessions are those of one client on one framework in one era.
type sessions struct {
	everything, bank session
	name             string        // of nobody else's resources and works
	url              string        // of everything, for what is looked at without the client
	patience         time.Duration // how long something is waited for
}

func (s sessions) at(o op) session {
	if o.atBank {
		return s.bank
	}
	return s.everything
}

// unordered is lines with the first n of them sorted.
func unordered(lines []string, n int) []string {
	lines = slices.Clone(lines)
	slices.Sort(lines[:min(n, len(lines))])
	return lines
}
