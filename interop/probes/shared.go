package probes

import (
	"fmt"
	"strings"
)

func probeShared(t *trial) {
	const processes = 3
	raced, text := t.rush()
	for i := 1; i < processes && !raced && t.program != nil; i++ { // it may be written to once only
		fresh, err := t.program.Start(t.ctx, Raced)
		if err != nil {
			t.expect(false, "the server, started again", words(err.Error()))
			return
		}
		t.Target = fresh
		raced, text = t.rush()
		defer fresh.Kill()
	}
	t.expect(!raced, fmt.Sprintf("the first calls of a tool that returns one result for all, 32 at once, on up to %d processes with the race detector", processes), words(text))

	got := t.send(t.call("probe_shared", `{}`))
	t.expect(got.has("the same for all"), "a call of 2026-07-28", got)
	id, _ := t.initialize(`{}`)
	older := func(tool string) (got *reply, labelled bool) {
		r := t.older("tools/call", fmt.Sprintf(`"name":%q,"arguments":{}`, tool))
		if id != "" {
			r.set("Mcp-Session-Id", id)
		}
		got = t.send(r)
		_, labelled = got.result()["resultType"]
		return got, labelled
	}
	_, usual := older("probe_admin")
	got, labelled := older("probe_shared")
	t.expect(got.has("the same for all") && (usual || !labelled),
		"then one of 2025-11-25, whose results have no resultType", got)
}

// rush makes calls at once, and reports whether the race detector spoke up.
func (t *trial) rush() (raced bool, text string) {
	done := make(chan *reply)
	begin := make(chan struct{})
	for range 32 {
		conn, err := t.dial()
		if err != nil {
			return false, err.Error()
		}
		go func() {
			<-begin
			done <- t.sendOn(conn, t.call("probe_shared", `{}`).bytes())
		}()
	}
	close(begin)
	for range 32 {
		text = (<-done).String()
	}
	raced = strings.Contains(t.log.String(), "WARNING: DATA RACE")
	return raced, fmt.Sprintf("%s; data race: %v", text, raced)
}
