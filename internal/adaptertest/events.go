package adaptertest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/parleymcp/parley/internal/wireschema"
)

// events reads an event stream as it comes.
type events struct {
	method   string // of the request; "" is one of an older revision
	r        *bufio.Reader
	comments int    // seen so far
	primes   int    // events without a message seen so far
	id       string // of the last event, "" when it had none
}

func newEvents(method string, r io.Reader) *events {
	return &events{method: method, r: bufio.NewReader(r)}
}

// next is the next message. The error is io.EOF at a clean end, and another
// one where the stream broke off.
func (e *events) next() (message, error) {
	var m message
	var data []string
	for {
		line, err := e.r.ReadString('\n')
		switch {
		case errors.Is(err, io.EOF) && line == "" && data == nil:
			return m, io.EOF
		case err != nil:
			return m, fmt.Errorf("reading an event: %w", err)
		}
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		name, value, _ := strings.Cut(line, ":")
		switch {
		case line == "" && data != nil:
			raw := []byte(strings.Join(data, "\n"))
			if e.method == "" {
				if len(raw) == 0 {
					e.primes++
					data = nil
					continue
				}
				return m, json.Unmarshal(raw, &m)
			}
			if err := json.Unmarshal(raw, &m); err != nil {
				return m, fmt.Errorf("reading an event: %w", err)
			}
			return m, wireschema.Check(e.method, raw)
		case line == "":
		case name == "":
			e.comments++
		case name == "data":
			data = append(data, strings.TrimPrefix(value, " "))
		case name == "id" && e.method == "":
			e.id = strings.TrimPrefix(value, " ")
		case name == "retry" && e.method == "":
		case name != "event":
			return m, fmt.Errorf("a line %q in an event stream", line)
		}
	}
}

func readAll(method string, r io.Reader) ([]message, error) {
	e := newEvents(method, r)
	var all []message
	for {
		m, err := e.next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, m)
	}
}

// stream is an event stream that is being read.
type stream struct {
	*events
	resp  *http.Response
	close context.CancelFunc // drops the connection
}

// open sends a call whose answer has to be a stream, and returns when its
// header is there.
func (c *client) open(ctx context.Context, msg call) *stream {
	c.t.Helper()
	return c.stream(msg.method, c.request(ctx, msg))
}

func (c *client) stream(method string, req *http.Request) *stream {
	c.t.Helper()
	ctx, cancel := context.WithCancel(req.Context())
	resp, err := c.http.Do(req.WithContext(ctx)) //nolint:bodyclose // by stream.close
	if err != nil {
		cancel()
		c.t.Fatalf("%s: %v", req.Method, err)
	}
	s := &stream{
		events: newEvents(method, resp.Body), resp: resp,
		close: func() {
			cancel()
			resp.Body.Close()
		},
	}
	c.t.Cleanup(s.close)
	if got := resp.Header.Get("Content-Type"); resp.StatusCode != http.StatusOK || got != "text/event-stream" {
		body, _ := io.ReadAll(io.LimitReader(resp.Body, 512))
		c.t.Fatalf("%s %s: status %d, Content-Type %q, body %q, want a stream", req.Method, method, resp.StatusCode, got, body)
	}
	return s
}

// must is next, where there has to be one.
func (c *client) must(s *stream) message {
	c.t.Helper()
	m, err := s.next()
	if err != nil {
		c.t.Fatal(err)
	}
	return m
}
