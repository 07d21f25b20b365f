package main

const (
	corePkg = "./core"
	sealPkg = "./core/seal"
	replays = "./core/replay"
)

var inCore = []string{corePkg}

// mutants are the checks of the gate, of request state, of flows and of single
// use, in the order of their sections: 3, 4, 5 and 6.
var mutants = []mutant{
	{"3 gate", "an older client is not asked", "core/gate.go", "if !ev.call.CanAsk {", "if false {", inCore},
	{
		"3 gate", "methods that may not ask are refused", "core/gate.go",
		"\tdefault:\n\t\treturn &cannotAskError{wire: &Error{Code: protocol.CodeInternalError, Message: textCannotMethod}}",
		"\tdefault:", inCore,
	},
	{"3 gate", "an interim result asks or has state", "core/gate.go", `if len(asks) == 0 && state == "" {`, "if false {", inCore},
	{"3 gate", "keys are unique in one ask", "core/gate.go", "if seen[q.key] {", "if false {", inCore},
	{"3 gate", "capabilities of the client", "core/gate.go", "\tif lacks {", "\tif lacks && false {", inCore},
	{"3 gate", "all that is missing is named", "core/gate.go", "lacking, lacks = join(lacking, m), true", "lacking, lacks = m, true", inCore},
	{"3 gate", "url does not declare form", "core/capability.go", "(c.Elicitation.Form != nil || c.Elicitation.URL == nil)", "true", inCore},
	{"3 gate", "only an object declares", "core/capability.go", "if len(raw) == 0 || raw[0] != '{' {\n\t\treturn nil\n\t}\n\treturn &protocol.Empty{}", "if len(raw) == 0 {\n\t\treturn nil\n\t}\n\treturn &protocol.Empty{}", inCore},
	{"3 gate", "sampling with tools", "core/capability.go", "s.Tools != nil && c.Sampling.Tools == nil", "false", inCore},
	{"3 gate", "sampling with context", "core/capability.go", "s.Context != nil && c.Sampling.Context == nil", "false", inCore},
	{"3 gate", "roots", "core/capability.go", "needs.Roots != nil && c.Roots == nil", "false", inCore},
	{"3 gate", "elicitation mode form or url", "core/raw.go", "return fmt.Errorf(\"the raw ask %q: an elicitation's mode must be form or url\", q.key)", "q.needs = needForm", inCore},
	{"3 gate", "a link is https", "core/url.go", `u.Scheme == "https", u.Scheme == "http" && isLoopback(u.Hostname())`, "true", inCore},
	{"3 gate", "a link has no user info", "core/url.go", "case u.User != nil:", "case false:", inCore},
	{"3 gate", "a failed request stays failed", "core/finish.go", "case ev.failure != nil:\n\t\treturn Outcome{Error: ev.failure.err, BadRequest: ev.failure.badRequest}\n\tcase err != nil && pause == nil:", "case err != nil && pause == nil:", inCore},
	{"3 gate", "another request's pause is misuse", "core/finish.go", "pause != nil && pause.ev != ev && ev.failure == nil", "false", inCore},
	{"3 gate", "open questions outrank a value", "core/finish.go", "case ev.paused():\n\t\tif err == nil {", "case ev.paused() && err != nil:\n\t\tif err == nil {", inCore},

	{"2 answer", "unknown actions are refused", "core/answer.go", "\tdefault:\n\t\treturn malformed, nil, nil\n\t}", "\t}", inCore},
	{"2 answer", "content is flat", "core/answer.go", "if q.mode == modeForm && !flat(content) {", "if false {", inCore},
	{"2 answer", "content breaks the form", "core/answer.go", "if v := q.check(content); v != nil {\n\t\treturn Invalid, nil, v\n\t}", "", inCore},
	{"2 answer", "a result of another kind", "core/answer.go", "if !looksLike(q.method, entry) {", "if false {", inCore},

	{"4 state", "only asked keys are answered", "core/answer.go", "if ev.opened != nil && !ev.opened.hasAsked(q.key) {", "if false {", inCore},
	{"4 state", "one style in a call", "core/style.go", "if ev.style != s {", "if false {", inCore},
	{"4 state", "sealed after it was opened", "core/state.go", "ev.opened == nil || ev.opened.by != any(s)", "ev.opened == nil", inCore},
	{"4 state", "sealed once in a round", "core/state.go", "case ev.opened.sealed:", "case false:", inCore},
	{"4 state", "one typed state in a call", "core/state.go", "if ev.opened.by != any(s) {\n\t\t\treturn value, ev.misuse", "if false {\n\t\t\treturn value, ev.misuse", inCore},
	{"4 state", "two rounds without a question", "core/state.go", "next.Quiet > maxQuietRounds", "false", inCore},
	{"4 state", "the payload has the value's shape", "core/state.go", "jsonx.UnmarshalUserStrict(sealed.Value, &value)", "jsonx.UnmarshalUser(sealed.Value, &value)", inCore},
	{"4 state", "a cap on rounds", "core/state.go", "if int(c.Round) >= ev.maxRounds() {", "if false {", inCore},
	{"4 state", "an opened token is within the cap", "core/state.go", "if int(claims.Round) > ev.maxRounds() {", "if false {", inCore},
	{"4 state", "the token is bound to the method", "core/canonical.go", "[]byte(c.Method), ", "nil, ", inCore},
	{"4 state", "the token is bound to the target", "core/canonical.go", "[]byte(c.Target), ", "nil, ", inCore},
	{"4 state", "the token is bound to the arguments", "core/canonical.go", "[]byte(c.Target), canonical)", "[]byte(c.Target), canonical[:0])", inCore},
	{"4 state", "the token is bound to the caller", "core/state.go", "Principal: principal}", "Principal: principal[:0:0]}", inCore},
	{"4 state", "the token is bound to the server", "core/state.go", "ev.host.Keys.Codec(purpose, ev.host.Audience)", `ev.host.Keys.Codec(purpose, "")`, inCore},
	{"4 state", "the token is bound to its state", "core/state.go", `codec, err := ev.codec("state/" + s.name)` + "\n\tif err != nil {\n\t\treturn value, err", `codec, err := ev.codec("state")` + "\n\tif err != nil {\n\t\treturn value, err", inCore},
	{"4 state", "a principal names somebody", "core/principal.go", "\tif !p.Valid() {", "\tif false {", inCore},

	{"5 flow", "an answer counts for its question only", "core/require.go", "if p.Digest == digest {", "if true {", inCore},
	{"5 flow", "a settled answer counts for its question only", "core/require.go", "if s.Digest == digest {", "if true {", inCore},
	{"5 flow", "reworded at most twice", "core/require.go", "if next.Reworded > maxRepeats {", "if false {", inCore},
	{"5 flow", "invalid at most twice", "core/require.go", "p.Invalid++; p.Invalid > maxRepeats", "p.Invalid++; false", inCore},
	{"5 flow", "two questions, one key", "core/require.go", "ok && before != digest", "ok && before == \"\"", inCore},
	{"5 flow", "declined is no yes", "core/require.go", "if s.State != Accepted {", "if false {", inCore},
	{"5 flow", "nothing is memoised behind a question", "core/memo.go", "if ev.paused() {", "if false {", inCore},
	{"5 flow", "nothing is committed behind a question", "core/commit.go", "case ev.paused():", "case false:", inCore},
	{"5 flow", "no commit without a yes", "core/commit.go", "case f.refusal != nil:", "case false:", inCore},
	{"5 flow", "keys occur once", "core/journal.go", "; twice {", "; twice && false {", inCore},
	{"5 flow", "the journal's budget", "core/journal.go", "if len(payload) > maxJournal {", "if false {", inCore},
	{"5 flow", "an opened journal is within the cap", "core/journal.go", "if int(claims.Round) > ev.maxRounds() {", "if false {", inCore},
	{"5 flow", "commit is for tools", "core/commit.go", "ev.call.Method != protocol.MethodToolsCall", "ev.call.Method == protocol.MethodListRoots", inCore},

	{"6 once", "a claim that is done returns its result", "core/commit.go", "case replay.Done:\n\t\treturn claimed{id: id, done: true, result: c.Result}, nil", "case replay.Done:\n\t\treturn claimed{id: id}, nil", inCore},
	{"6 once", "a claim in flight is refused", "core/commit.go", "case replay.InFlight:", "case replay.Conflict + 1:", inCore},
	{"6 once", "other answers are refused", "core/commit.go", "f.answersDigest(), ev.opened", "[32]byte{}, ev.opened", inCore},
	{"6 once", "a failed effect releases its claim", "core/commit.go", "ev.host.Replay.Release(ctx, claim.id); releaseErr != nil", "error(nil); releaseErr != nil", inCore},
	{"6 once", "nothing is done when the store fails", "core/commit.go", "return claimed{}, errStore", "return claimed{id: id}, nil", inCore},
	{"6 once", "every round: the token opens once", "core/once.go", "if claim.Status != replay.Fresh {", "if claim.Status > replay.Conflict {", inCore},
	{"6 once", "every round: a failed round is released", "core/once.go", "done := out.Interim != nil || out.Error == nil && out.Cause == nil", "done := true", inCore},
	{"6 once", "every round: closed when the store fails", "core/once.go", "ev.failure = &failure{err: internalError()}\n\t\treturn ev.failure.err", "return nil", inCore},
}
