package server

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strconv"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/envelope"
	"github.com/parleymcp/parley/core/server/internal/legacy"
	"github.com/parleymcp/parley/core/server/internal/session"
	"github.com/parleymcp/parley/internal/jsonx"
)

// unanswered is why the questions of a call have no answers: what its client is
// told, and the reason for log and metrics.
type unanswered struct{ text, reason string }

var (
	unansweredParked     = &unanswered{"Too many calls are waiting for an answer; try again later.", "bridge_refused"}
	unansweredNoWay      = &unanswered{"The client could not be asked.", "bridge_refused"}
	unansweredRefused    = &unanswered{"The client did not answer the question.", "bridge_refused"}
	unansweredAlone      = &unanswered{"The client did not answer the question.", "bridge_timeout"}
	unansweredLate       = &unanswered{"The client did not answer in time.", "bridge_timeout"}
	unansweredParting    = &unanswered{"The server is shutting down.", "bridge_refused"}
	unansweredNotAllowed = &unanswered{"This call is not allowed any more; start again.", "bridge_refused"}
	unansweredRounds     = &unanswered{"This call took too many rounds of questions; start again.", "bridge_refused"}
)

// pace is how long a round waits that asked nothing, and had the client retry
// at once in 2026-07-28. patience is how long a call that waits for an answer
// lives without a connection.
const (
	pace     = 250 * time.Millisecond
	patience = 30 * time.Second
)

// bridge asks a client of an older revision what a handler wants to know, by
// requests on the stream of the call, and runs the handler again with the
// answers, as a client of 2026-07-28 would make it run. While it waits, the
// handler does not run and holds nothing.
func (x *exchange) bridge(ctx context.Context, e *entry, f runner, out core.Outcome) core.Outcome {
	for round := 1; out.Interim != nil; round++ {
		if round > x.srv.cfg.MaxRounds {
			return x.bridgeFailed(ctx, e, unansweredRounds)
		}
		answers, why := x.ask(ctx, out.Interim)
		if why != nil {
			return x.bridgeFailed(ctx, e, why)
		}
		if !x.allowed(e) {
			return x.bridgeFailed(ctx, e, unansweredNotAllowed)
		}
		call := x.call // the event of the round before still has the other
		call.Responses = answers
		if state := out.Interim.State; state != "" {
			call.State = &state
		}
		out = f(ctx, x.host, e.feature, &call)
		if out.Error != nil && out.BadRequest {
			// The answers were bad, not the request: a model can read that.
			return bridgeOutcome(e, out.Error.Message)
		}
	}
	return out
}

// allowed reports whether the caller may go on, by what the last round was
// answered with: in 2026-07-28 each round brings its credentials, and is refused
// without good ones.
func (x *exchange) allowed(e *entry) bool {
	return x.sees(e) && x.granted(e) && (x.expires.IsZero() || time.Now().Before(x.expires))
}

// answeredBy makes the credentials of an answer those of the call. Of several
// answers to a round each must have what the handler is told that the caller has.
func (x *exchange) answeredBy(c session.Credentials, first bool) {
	if first {
		x.call.Scopes = c.Scopes
	} else {
		x.call.Scopes = slices.DeleteFunc(slices.Clone(x.call.Scopes), func(s string) bool { return !slices.Contains(c.Scopes, s) })
	}
	x.expires = c.Expires
}

// ask sends the questions of one round and waits for all of the answers.
func (x *exchange) ask(ctx context.Context, in *core.Interim) (map[string]json.RawMessage, *unanswered) {
	sessions := x.srv.sessions
	if x.session == nil || x.stream == nil {
		return nil, unansweredNoWay
	}
	size := len(x.msg.Params.Get(envelope.ParamRaw))
	if !sessions.Park(x.session.Owner(), size) {
		return nil, unansweredParked
	}
	defer sessions.Unpark(x.session.Owner(), size)
	round := x.session.Ask(len(in.Requests))
	defer func() { //nolint:contextcheck // a stream carries the context of its call
		for _, id := range round.End() { // one that fails takes its siblings along
			_ = x.stream.send(notification(protocol.NotificationCancelled, []byte(`{"requestId":`+id+`}`)).event())
		}
	}()
	for i, r := range in.Requests {
		if x.stream.send(x.question(round.ID(i), r)) != nil { //nolint:contextcheck // a stream carries the context of its call
			return nil, unansweredNoWay
		}
	}
	results, why := x.wait(ctx, round, len(in.Requests))
	if why != nil {
		return nil, why
	}
	// One object, so that what may be in it is what a modern client may send.
	raw := []byte{'{'}
	for i, r := range in.Requests {
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = append(append(jsonx.AppendString(raw, r.Key), ':'), results[i]...)
	}
	answers, err := envelope.InputResponses(append(raw, '}'))
	if err != nil {
		return nil, unansweredRefused
	}
	return answers, nil
}

// question is one request of the server's, as the client's revision knows it.
func (x *exchange) question(id string, r core.Request) []byte {
	params := legacy.Question(x.call.Version, r.Method, r.Params)
	if len(params) == 0 {
		params = []byte(`{}`)
	}
	if compact, err := oneLine(params); err == nil {
		params = compact
	}
	m := newMessage(64 + len(params))
	m = append(append(append(m, `{"jsonrpc":"2.0","id":`...), id...), `,"method":`...)
	m = append(append(jsonx.AppendString(m, r.Method), `,"params":`...), params...)
	return append(append(m, '}'), eventTail...)
}

// wait collects the results of a round. A round without questions is paced.
func (x *exchange) wait(ctx context.Context, round *session.Round, count int) ([][]byte, *unanswered) {
	limit := x.srv.cfg.Legacy.AnswerTimeout
	if count == 0 {
		limit = pace
	}
	timeout := time.NewTimer(limit)
	defer timeout.Stop()
	var alone <-chan time.Time
	lost := x.stream.watch() //nolint:contextcheck // a stream carries the context of its call
	results := make([][]byte, count)
	for answered := 0; answered < count || count == 0; {
		select {
		case reply := <-round.Replies():
			if reply.Error != nil {
				return nil, unansweredRefused
			}
			x.answeredBy(reply.By, answered == 0)
			results[reply.Index] = reply.Result
			answered++
		case <-timeout.C:
			if count == 0 {
				return results, nil
			}
			return nil, unansweredLate
		case <-lost:
			lost = nil
			timer := time.NewTimer(patience)
			defer timer.Stop()
			alone = timer.C
		case <-alone:
			if !x.stream.kept.Taken() {
				return nil, unansweredAlone
			}
		case <-x.srv.sessions.Closing():
			return nil, unansweredParting
		case <-ctx.Done():
			return nil, unansweredRefused
		}
	}
	return results, nil
}

// bridgeFailed ends a call whose questions were not answered.
func (x *exchange) bridgeFailed(ctx context.Context, e *entry, why *unanswered) core.Outcome {
	x.srv.notices.count(why.reason)
	attrs := append(caller(x.call.Principal),
		slog.String("reason", why.reason), slog.String("method", x.msg.Method), slog.String("feature", e.Name))
	x.host.Logger.LogAttrs(ctx, slog.LevelInfo, "a question of a handler was not answered: "+why.text, attrs...)
	return bridgeOutcome(e, why.text)
}

// bridgeOutcome is a result for a model, and an error for everybody else.
func bridgeOutcome(e *entry, text string) core.Outcome {
	if e.Kind == core.KindTool {
		return core.Outcome{Result: &core.ToolResult{IsError: true, Content: []core.Content{core.Text(text)}}}
	}
	return core.Outcome{Error: &core.Error{Code: protocol.CodeInternalError, Message: text}}
}

// rises reports whether the progress in params is more than all that this
// request was sent: a handler that runs again reports again, and to an older
// client it is one request.
func (x *exchange) rises(params []byte) bool {
	now := progressIn(params)
	if x.reported && now <= x.progress {
		return false
	}
	x.reported, x.progress = true, now
	return true
}

func progressIn(params []byte) (n float64) {
	jsonx.Members(params, func(name string, value []byte) {
		if name == "progress" {
			n, _ = strconv.ParseFloat(string(value), 64) // our own number
		}
	})
	return n
}
