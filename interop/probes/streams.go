package probes

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// streamProbes are about what happens in time.
var streamProbes = []Probe{
	{
		Row: "T12", Short: "cancel on leaving", Title: "a client that leaves cancels its call", run: probeLeave,
		Why: "basic/transports: closing the response stream is how 2026-07-28 cancels a request",
	},
	{
		Row: "T13", Short: "write timeout", Title: "a write timeout cuts neither streams nor slow answers", Setup: Hurried, run: probeHurry,
		Why: "safety: http.Server wants a WriteTimeout, and a stream is longer than any",
	},
	{
		Row: "T14", Short: "keep-alive", Title: "streams begin at once, and are kept alive", run: probeFirst,
		Why: "safety: proxies end connections that say nothing",
	},
	{
		Row: "T15", Short: "1 000 notifications", Title: "1 000 of 1 000 notifications, in order, before the result", run: probeThousand,
		Why: "basic/transports: messages of a request come on its stream, before its response",
	},
	{
		Row: "T16", Short: "fault in a stream", Title: "a fault after the first event is an event", Setup: Alone, run: probeLateFault,
		Why: "basic/transports: an event stream has events; the request gets its response",
	},
	{
		Row: "T17", Short: "panic, nil result", Title: "a panic, or a nil result, ends one call", Setup: Alone, run: probePanic,
		Why: "safety: one call must not end the process, and no client may read a panic",
	},
	{
		Row: "T18", Short: "shutdown", Title: "shutting down ends open listens with their result", Setup: Alone, run: probeShutdown,
		Why: "the schema, SubscriptionsListenResult: it ends a subscription gracefully, for example during server shutdown",
	},
	{
		Row: "T28", Short: "shared results", Title: "a result that calls share is not written to", Setup: Raced, run: probeShared,
		Why: "safety: a data race is undefined behaviour",
	},
}

// wait is a call of probe_wait.
func (t *trial) wait(id string, milliseconds, every int) *request {
	return t.call("probe_wait", fmt.Sprintf(`{"id":%q,"milliseconds":%d,"every":%d}`, id, milliseconds, every))
}

// ended asks how a wait ended until it has, or for 6 seconds.
func (t *trial) ended(id string) *reply {
	for began := time.Now(); ; time.Sleep(50 * time.Millisecond) { //nolint:forbidigo // there is no other way to ask a process
		r := t.send(t.call("probe_ended", fmt.Sprintf(`{"id":%q}`, id)))
		if !r.has("running") || time.Since(began) > 6*time.Second {
			return r
		}
	}
}

func probeLeave(t *trial) {
	for _, c := range []struct {
		sent  string
		id    string
		every int
	}{
		{"a call is abandoned before its answer", "silent", 0},
		{"a call is abandoned after its first event", "talking", 50},
	} {
		r := t.wait(c.id, 9000, c.every).withProgress()
		if c.every > 0 {
			s := t.open(r)
			_, _ = s.event(patience) // its end shows in what follows
			s.close()
		} else if conn, err := t.dial(); err == nil {
			_, _ = conn.Write([]byte(r.bytes())) // as above
			for i := 0; i < 100 && !t.send(t.call("probe_ended", fmt.Sprintf(`{"id":%q}`, c.id))).has("running"); i++ {
				time.Sleep(20 * time.Millisecond) //nolint:forbidigo // as above
			}
			_ = conn.Close()
		}
		got := t.ended(c.id)
		t.expect(got.has("it is cancelled"), c.sent+"; then: how did it end?", got)
	}
}

func probeHurry(t *trial) {
	slow, stream := make(chan *reply, 1), make(chan *reply, 1)
	go func() { slow <- t.send(t.wait("slow", 1800, 0)) }()
	go func() { stream <- t.send(t.wait("stream", 2500, 200).withProgress()) }()
	s := t.open(t.listen(`"toolsListChanged":true`))
	defer s.close()
	_, err := s.event(patience)
	for began := time.Now(); err == nil && time.Since(began) < 2500*time.Millisecond; {
		if _, err = s.event(500 * time.Millisecond); err != nil && isTimeout(err) {
			err = nil
		}
	}
	t.expect(err == nil && s.reply.status == 200, "a `subscriptions/listen` of 2.5 s", words(fmt.Sprintf("%d, then: %s", s.reply.status, errOr(err, "still open"))))
	got := <-slow
	t.expect(got.has("waited") && got.err == nil, "a call of 1.8 s, without an event", got)
	got = <-stream
	t.expect(got.has("waited") && got.err == nil, "a call of 2.5 s, with an event every 0.2 s", words(tail(got)))
}

func isTimeout(err error) bool {
	t, ok := err.(interface{ Timeout() bool })
	return ok && t.Timeout()
}

func errOr(err error, otherwise string) string {
	if err != nil {
		return err.Error()
	}
	return otherwise
}

// tail is the end of an answer.
func tail(r *reply) string {
	body := serverInfo.ReplaceAllString(strings.TrimSpace(r.body), "")
	if len(body) > 160 {
		body = "…" + body[len(body)-160:]
	}
	return fmt.Sprintf("%d, %d messages, at the end `%s` %s", r.status, len(r.messages), clip(body), errOr(r.err, ""))
}

func (t *Target) listen(notifications string) *request {
	return t.ask("subscriptions/listen", "", `"notifications":{`+notifications+`}`)
}

// soon is at once, on a busy machine.
const soon = 2500 * time.Millisecond

func probeFirst(t *trial) {
	began := time.Now()
	s := t.open(t.wait("first", 4000, 3500).withProgress())
	event, err := s.event(patience)
	took := time.Since(began)
	s.close()
	t.expect(err == nil && strings.Contains(event, "progress") && took < soon,
		"the first of two events of a call that takes 4 s", words(within(event, err, took)))

	began = time.Now()
	s = t.open(t.listen(`"toolsListChanged":true`))
	defer s.close()
	event, err = s.event(patience)
	took = time.Since(began)
	t.expect(err == nil && strings.Contains(event, "acknowledged") && took < soon,
		"`subscriptions/listen`", words(within(event, err, took)))
	event, err = s.event(4 * time.Second)
	t.expect(err == nil && event != "", "4 s of silence on that stream, where comments were configured if they can be", words(errOr(err, "`"+strings.TrimSpace(event)+"`")))
}

func within(event string, err error, took time.Duration) string {
	when := fmt.Sprintf("within %v", soon)
	if took >= soon {
		when = fmt.Sprintf("after %.1f s", took.Seconds())
	}
	return fmt.Sprintf("%s: `%s` %s", when, clip(strings.TrimSpace(event)), errOr(err, ""))
}

func probeThousand(t *trial) {
	for range 8 {
		got := t.send(t.call("probe_count", `{"n":1000}`).withProgress())
		next, last := 1.0, ""
		for _, m := range got.messages {
			var params struct {
				Progress float64 `json:"progress"`
			}
			_ = json.Unmarshal(m.Params, &params) // then it is not the next
			if m.Method == "notifications/progress" && params.Progress == next {
				next++
			}
			last = m.Method
		}
		ok := next == 1001 && len(got.messages) == 1001 && last == "" && got.has("counted 1000")
		t.expect(ok, "a call that reports progress 1 000 times", words(fmt.Sprintf("%v in order, %s", next-1, tail(got))))
	}
}

func probeLateFault(t *trial) {
	got := t.send(t.call("probe_panic", `{"stream":true}`).withProgress())
	framed := got.streamed()
	for line := range strings.Lines(got.body) {
		line = strings.TrimRight(line, "\r\n")
		if line != "" && !strings.HasPrefix(line, "data:") && !strings.HasPrefix(line, "event:") && !strings.HasPrefix(line, ":") && !strings.HasPrefix(line, "id:") {
			framed = false
		}
	}
	t.expect(framed && got.err == nil && got.failed(), "a call that reports progress, then panics", got)
}

func probePanic(t *trial) {
	got := t.send(t.call("probe_panic", `{}`))
	t.expect(got.failed() && !strings.Contains(got.body, "swordfish"), "a call that panics", got)
	if !t.afterwards("after the panic") && t.died() {
		fresh, err := t.program.Start(t.ctx, Alone)
		if err != nil {
			t.expect(false, "the server, started again", words(err.Error()))
			return
		}
		defer fresh.Kill()
		t.Target = fresh
	}
	got = t.send(t.call("probe_nothing", `{}`))
	t.expect(got.failed(), "a call that returns neither result nor error", got)
	t.afterwards("after that")
}

// afterwards looks whether the server lives.
func (t *trial) afterwards(when string) bool {
	got := t.send(t.echo("alive"))
	lives := got.has("alive")
	t.expect(lives || !t.died(), "the process "+when, words(lastFault(t.log)))
	t.expect(lives, "a good call "+when, got)
	return lives
}

// lastFault is what a process that died said.
func lastFault(log *buffer) string {
	if log == nil {
		return "?"
	}
	for line := range strings.Lines(log.String()) {
		if strings.HasPrefix(line, "panic:") || strings.HasPrefix(line, "fatal error:") {
			return clip("it ended: " + strings.TrimSpace(line))
		}
	}
	return "it runs"
}

func probeShutdown(t *trial) {
	if t.cmd == nil {
		t.skip("it needs a process of its own")
		return
	}
	s := t.open(t.listen(`"toolsListChanged":true`))
	defer s.close()
	_, err := s.event(patience)
	if err != nil {
		t.expect(false, "`subscriptions/listen`", words(err.Error()))
		return
	}
	began := time.Now()
	err = t.stop()
	t.expect(err == nil, "SIGTERM with one open listen: the program ends, given 4 s",
		words(fmt.Sprintf("after %.1f s: %s", time.Since(began).Seconds(), errOr(err, "exit code 0"))))
	got := s.rest()
	t.expect(got.kind() == "complete" && got.err == nil, "the stream", words(tail(got)))
}
