package main

var inSession = []string{"./core/server/internal/session"}

// older are the checks of the revisions before 2026-07-28, of sessions and of the
// bridge.
var older = []mutant{
	{"older", "off is off", "core/server/era.go", "case x.srv.cfg.Legacy.Off:", "case false:", inServer},
	{"older", "sessions are needed where there are any", "core/server/era.go", "} else if x.srv.sessions != nil && ", "} else if false && ", inServer},
	{"older", "404 for a session that is none", "core/server/era.go", "x.refuse(ctx, refuseSession)", "x.refuse(ctx, refuseNoSession)", inServer},
	{"older", "with a null id", "core/server/era.go", "\t\t\tx.msg.ID = []byte(\"null\")\n", "", inServer},
	{"older", "batches of 2025-03-26 alone", "core/server/batch.go", "if x.call.Version != protocol.Version20250326 {", "if false {", inServer},

	{"session", "is its owner's", "core/server/internal/session/table.go", "if s == nil || s.owner != o {", "if s == nil {", inServer},
	{"session", "an ended one is nobody's", "core/server/internal/session/table.go", "\tdelete(t.sessions, s.id)\n", "", inServer},
	{"session", "an ended one cancels what runs", "core/server/internal/session/session.go", "\t\tc.cancel(ErrEnded)\n\t}\n\tfor", "\t\t_ = c\n\t}\n\tfor", inSession},
	{"session", "one that nobody uses ends", "core/server/internal/session/session.go", "return s.busy == 0 && ", "return s.busy < 0 && ", inServer},
	{"session", "one that is used stays", "core/server/internal/session/session.go", "return s.busy == 0 && ", "return ", inServer},
	{"session", "so many", "core/server/internal/session/table.go", "case len(t.sessions) >= t.limits.Sessions:", "case false:", inSession},
	{"session", "so many of one owner", "core/server/internal/session/table.go", "t.owned[o] >= t.limits.SessionsPerOwner", "false", inServer},
	{"session", "one reader of a stream", "core/server/internal/session/stream.go", "\tst.expel()\n\tst.reader,", "\tst.reader,", inServer},
	{"session", "no hole in a stream", "core/server/internal/session/stream.go", "st == nil || at < st.lost || at > st.last", "st == nil", inServer},
	{"session", "a stream that moved stays there", "core/server/stream.go", "if st.kept.Moved() {", "if false {", inServer},
	{"session", "its stream ends with the token", "core/server/hear.go", "\tif !h.until.IsZero() {", "\tif false {", inServer},
	{"session", "scopes to hear", "core/server/hear.go", "!h.srv.hears(h.scopes, uri)", "false", inServer},
	{"session", "scopes to be told", "core/server/listener.go", "!l.srv.hears(l.scopes, uri)", "false", inServer},

	{"cancel", "by the id of the request", "core/server/internal/session/session.go", "if c.id == string(id) {", "if true {", inServer},
	{"cancel", "there is no answer", "core/server/call.go", "cancelled := x.legacy && ", "cancelled := false && ", inServer},
	{"cancel", "and no notification", "core/server/call.go", "case errors.Is(context.Cause(&x.stream.ctx), errCancelled):", "case false:", inServer},
	{"cancel", "not by a lost connection", "core/server/legacycall.go", "outlives: !x.srv.cfg.Legacy.CancelOnDisconnect", "outlives: false", inServer},

	{"bridge", "not to 2025-03-26", "core/server/legacycall.go", "x.call.Version >= protocol.Version20250618 && x.sse && x.req.CanStream", "x.sse && x.req.CanStream", inServer},
	{"bridge", "not where no stream is accepted", "core/server/legacycall.go", " && x.sse && x.req.CanStream\n", " && x.req.CanStream\n", inServer},
	{"bridge", "not where nothing can be pushed", "core/server/legacycall.go", " && x.sse && x.req.CanStream\n", " && x.sse\n", inServer},
	{"bridge", "capabilities of the session", "core/server/legacycall.go", "= client.Info, client.Capabilities", "= client.Info, []byte(`{\"elicitation\":{},\"sampling\":{},\"roots\":{}}`)", inServer},
	{"bridge", "no pages to 2025-06-18", "core/legacy.go", "if version >= protocol.Version20251125 {", "if true {", inCore},
	{"bridge", "one choice to 2025-06-18", "core/gate.go", "ev.call.Version < protocol.Version20251125 && q.offersMany()", "false", inCore},
	{"bridge", "a reply is for its session", "core/server/internal/session/ask.go", "q, waits := s.asks[string(id)]", "q, waits := s.asks[string(id)]\n\tfor _, other := range s.table.sessions {\n\t\tif !waits {\n\t\t\tq, waits = other.asks[string(id)]\n\t\t}\n\t}", inServer},
	{"bridge", "a question is answered once", "core/server/internal/session/ask.go", "\tdelete(s.asks, string(id))\n\tq.replies", "\tq.replies", inSession},
	{"bridge", "one that fails takes its siblings along", "core/server/bridge.go", "range round.End() {", "range round.End()[:0] {", inServer},
	{"bridge", "so many wait", "core/server/internal/session/table.go", "t.parked >= t.limits.Parked ||", "false ||", inSession},
	{"bridge", "so many of one owner wait", "core/server/internal/session/table.go", "t.parkedBy[o] >= t.limits.ParkedPerOwner", "false", inServer},
	{"bridge", "so many bytes wait", "core/server/internal/session/table.go", "t.bytes+size > t.limits.ParkedBytes", "false", inSession},
	{"bridge", "who waits no more gives his place back", "core/server/bridge.go", "\tdefer sessions.Unpark(x.session.Owner(), size)\n", "", inServer},
	{"bridge", "the time to answer", "core/server/bridge.go", "limit := x.srv.cfg.Legacy.AnswerTimeout", "limit := 2 * x.srv.cfg.Legacy.AnswerTimeout", inServer},
	{"bridge", "the time without a connection", "core/server/bridge.go", "if !x.stream.kept.Taken() {", "if false {", inServer},
	{"bridge", "a cap on rounds", "core/server/bridge.go", "if round > x.srv.cfg.MaxRounds {", "if false {", inServer},
	{"bridge", "a round without questions is paced", "core/server/bridge.go", "limit = pace", "limit = 0", inServer},
	{"bridge", "a server that closes waits for no answer", "core/server/bridge.go", "\t\tcase <-x.srv.sessions.Closing():\n\t\t\treturn nil, unansweredParting\n", "", inServer},
}
