package probes

import (
	"errors"
	"fmt"
)

// Confirmation is what was found when somebody looked into a failure on a
// server of another library: at the bytes, and at its source.
type Confirmation struct {
	Program, Row string

	// Left says that the specification allows it, or that the library leaves it
	// to the application. It is not counted as a fault.
	Left bool

	Text string
}

const leftToHandler = "The library hands `requestState` over as it came and has nothing that seals, binds, expires or limits it; " +
	"a handler has to. The tool was written as the example of the library's documentation, which puts readable text into it."

// Confirmations are all of them. Paths are within the module of the library, at
// the version of interop/go.mod.
var Confirmations = []Confirmation{ //nolint:gochecknoglobals // a table
	{"go-sdk", "T3", false, "internal/jsonrpc2/messages.go: the id is decoded into `any`, so a number is a float64, which `MakeID` makes an int64: 2^53+1 comes back as 2^53, and 1.5 as 1."},
	{"go-sdk", "T4", false, "internal/json/json.go: the case of names is matched, but the last of two members of one name wins, in the message as in the arguments."},
	{"go-sdk", "T5", false, "mcp/tool.go, `applySchema`: the arguments pass through `map[string]any` and are encoded again before the handler's type is decoded; so does the result."},
	{"go-sdk", "T6", false, "internal/json/json.go, `Unmarshal`: a decoder reads one value and nobody asks whether something follows; the JSON library replaces invalid UTF-8. (Nesting is limited, to 1 000.)"},
	{"go-sdk", "T7", false, "mcp/streamable.go, `ServeHTTP`: a header below 2026-07-28 that is not in the list is answered by `http.Error`, before `_meta` is looked at. Newer versions get −32022 as they should."},
	{"go-sdk", "T8", false, "mcp/streamable.go, `servePOST`: what cannot be decoded is answered by `http.Error`, in plain text."},
	{"go-sdk", "M8", false, "mcp/tool.go, `applySchema`: the error of the JSON decoder goes to the client."},
	{"go-sdk", "T9", false, "mcp/streamable_headers.go, `validateMcpHeaders`: `Mcp-Name` is compared as it is, only `Mcp-Param-*` are decoded; an empty value is taken for a missing header."},
	{"go-sdk", "T10", false, "mcp/streamable_headers.go: `header.Get`, which is the first field; the others are not looked at."},
	{"go-sdk", "T11", true, "mcp/streamable.go, `servePOST`: a POST with Last-Event-ID is answered with 400, in plain text. Wildcards are understood."},
	{"go-sdk", "T13", true, "Nothing in package mcp extends the write deadline. Without `http.Server.WriteTimeout` nothing is cut, so it is for the application to set none."},
	{"go-sdk", "T14", true, "Streams begin at once. Nothing is written to a quiet one; `ServerOptions.KeepAlive` sends ping requests in sessions, of which 2026-07-28 has none."},
	{"go-sdk", "T16", false, "The same as T17: the process ends, and the stream with it."},
	{"go-sdk", "T17", false, "There is no `recover` in packages mcp and internal/jsonrpc2, and handlers run on goroutines of the latter, where `net/http` does not recover either. A receiving middleware of one's own can; the documentation has none. A nil result is dereferenced."},
	{"go-sdk", "T18", false, "mcp/server.go, `subscriptionsListen` waits for the context of its request alone. `http.Server.Shutdown` alone waits for it in vain. Closing every session of `Server.Sessions`, as the server of the suite does, ends the program in time, but the stream without its result; so does a `BaseContext` that is cancelled first (by hand)."},
	{"go-sdk", "T28", false, "mcp/mrtr.go, `handleMultiRoundTripResult`, and mcp/protocol.go, `setResultType`: the result that the handler returned is written to, so what one call put there another sends. The race detector prints the two stacks. A result of a handler's own has no resultType for a client of 2025-11-25."},
	{"go-sdk", "T29", false, "mcp/protocol.go: `content`, `messages` and `contents` have no omitempty, and the documentation says to leave them empty; mcp/server.go, `resolveCacheable` labels the interim result of a read, too, and as public."},
	{"go-sdk", "T30", true, "mcp/protocol.go, `normalize`: an unset scope becomes public. `ServerOptions.SetCacheable` can change it; the default is documented."},
	{"go-sdk", "T33", true, "mcp/streamable.go: a handler is `Stateless`, and then serves both eras without sessions, or keeps sessions, and then refuses 2026-07-28 (with −32022, as it should). Both need two handlers and a mux of the application's. Ended sessions are 404."},
	{"go-sdk", "T35", true, "google/jsonschema-go, `infer.go`: a slice becomes `[\"null\",\"array\"]`, since Go has nil slices. It is valid JSON Schema; the documentation has `InputSchema` to write one's own."},
	{"go-sdk", "M19", false, "mcp/mrtr.go, `serverMultiRoundTripMiddleware`: the handler is run again exactly once, as docs/server.md says. What it asks then goes to a client of 2025-11-25 as a result with empty content and members that it does not know: the call looks finished."},
	{"go-sdk", "M1", false, "mcp/mrtr.go, `handleMultiRoundTripResult` labels what the handler returned and compares it with nothing. A handler can look at the capabilities itself; the example of the documentation does not."},
	{"go-sdk", "M5", true, "mcp/protocol.go, `unmarshalInputResponse` refuses what is no answer at all, though with the code of a header that does not match. An answer of another kind reaches the handler, which has to know."},
	{"go-sdk", "M6", true, "Answers of 2026-07-28 are decoded, not checked against the schema that was asked with, nor is `action` one of three. The documentation's example reads `Content` directly."},
	{"go-sdk", "M7", false, "mcp/protocol.go, `InputResponseMap.UnmarshalJSON` fails for all if one is unknown, and mcp/streamable_headers.go, `extractName`, which decodes the same params, makes it −32020: the client is told that its headers do not match."},
	{"go-sdk", "M9", true, leftToHandler + " The comment of `CallToolResult.RequestState` says that unauthenticated servers must encrypt, sign and verify it."},
	{"go-sdk", "M12", true, leftToHandler},
	{"go-sdk", "M14", true, leftToHandler + " The client of the library stops after 10 rounds."},
	{"go-sdk", "M18", true, leftToHandler},
	{"go-sdk", "M23", true, leftToHandler},
	{"go-sdk", "M24", true, leftToHandler},

	{"mcp-go", "T1", false, "server/streamable_http.go, `ServeHTTP`: Host is checked, Origin is not. `WithStreamableHTTPCORS` adds headers to the answer and refuses nothing. The standard library's `http.CrossOriginProtection` around the handler would keep other pages out, as it does for go-sdk, whose documentation asks for it; that of this library does not."},
	{"mcp-go", "T2", false, "server/streamable_http.go, `ServeHTTP`: `io.ReadAll(r.Body)`. There is no option; `http.MaxBytesHandler` around the handler would help, but the documentation does not ask for it."},
	{"mcp-go", "T3", false, "server/request_handler.go: the id is `any`, so a number is a float64; null is no id and makes a notification of it, answered with 202; objects, lists, booleans and fractions are echoed."},
	{"mcp-go", "T4", false, "encoding/json matches names without regard to case, and the last of two members wins: `Method` runs the call."},
	{"mcp-go", "T6", false, "encoding/json replaces invalid UTF-8 by U+FFFD, so the handler sees another text than was sent. The rest is refused."},
	{"mcp-go", "T7", false, "server/streamable_http_modern.go, `rejectUnsupportedProtocolVersion`: plain text, although `_meta` names the version, too. Newer versions get −32022 as they should."},
	{"mcp-go", "M8", false, "server/server.go, `UnparsableMessageError`: the error of encoding/json, with the names of Go's types, goes to the client."},
	{"mcp-go", "T10", false, "mcp/headers.go, `ValidateStandardHeaders`: it is given `Header.Get`, which is the first field; the others are not looked at."},
	{"mcp-go", "T11", true, "server/streamable_http_modern.go, `validateModernRequest`: a POST with Last-Event-ID is answered with 400, although the comment at the top of the file says that it is ignored. Wildcards are understood."},
	{"mcp-go", "T13", true, "Write deadlines are only set with an event store. Without `http.Server.WriteTimeout` nothing is cut, so it is for the application to set none."},
	{"mcp-go", "T14", true, "Streams begin at once. `WithHeartbeatInterval`, which was set to 1 s, is for the GET stream of older revisions alone, as its comment says."},
	{"mcp-go", "T15", false, "server/session.go, `sendNotificationCore`: a queue of 100, which a forwarding goroutine (server/streamable_http.go) writes to the stream. What that has in hand when the tool returns is dropped, and what is still in the queue goes out: so one is missing, near the end. The tool was patient: it sent again whatever `ErrNotificationChannelBlocked` refused. One without that loses about 900."},
	{"mcp-go", "T17", false, "server/server.go, `WithRecovery`: the value of the panic becomes the text of the error, which goes to the client. A nil result is handled."},
	{"mcp-go", "T18", false, "server/subscriptions.go, `handleSubscriptionsListen` waits for the context of its request alone, and `Shutdown` closes sessions, which a listen is none of. By hand: with a `BaseContext` that is cancelled first the program ends in time, but the stream still without its result."},
	{"mcp-go", "T28", false, "server/response.go, `decorateResult`, and mcp/result.go, `SetResultType` and `EnsureResultMeta`: the result that the handler returned is written to when it has no label yet, so what one call put there another sends. The race detector prints the two stacks, if the first calls meet; they do not in every run."},
	{"mcp-go", "T29", false, "mcp/prompts.go: `messages` has no omitempty; a prompt that asks sends `\"messages\":null`. Tools send `[]`."},
	{"mcp-go", "T31", false, "server/handler_errors.go, `handlerError`: whatever a handler returns, a wrapped `mcp.ErrInvalidParams` as well, is −32603 without data. (`NewToolResultError` is the way to tell the model, and was used for that.)"},
	{"mcp-go", "T32", false, "server/handler_errors.go: the library's own `MissingRequiredClientCapabilityError`, returned by a handler, is −32603 under status 200."},
	{"mcp-go", "T35", true, "google/jsonschema-go, `infer.go`: a slice becomes `[\"null\",\"array\"]`, since Go has nil slices. It is valid JSON Schema; schemas built with the functions of package mcp have none."},
	{"mcp-go", "M1", false, "server/mrtr.go, `InputRequestBuilder` builds what it is told, and nothing compares it with the capabilities. The example of the documentation does not either."},
	{"mcp-go", "M20", true, "server/server.go, `ResourceHandlerFunc` returns contents, so a handler cannot ask; `InputRequestBuilder.ResourceResult` says that it is for servers that construct the response themselves. Tools and prompts ask."},
	{"mcp-go", "M5", true, "server/mrtr.go, `ElicitationResponse`: an answer of another kind decodes into one without an action, and text into none, so a handler takes the one for a refusal and asks again for the other."},
	{"mcp-go", "M6", true, "Answers are decoded, not checked against the schema that was asked with, nor is `action` one of three."},
	{"mcp-go", "M9", true, leftToHandler},
	{"mcp-go", "M12", true, leftToHandler},
	{"mcp-go", "M14", true, leftToHandler + " The client of the library stops after 10 rounds."},
	{"mcp-go", "M18", true, leftToHandler},
	{"mcp-go", "M23", true, leftToHandler},
	{"mcp-go", "M24", true, leftToHandler},
}

// Confirmed is what was found about a row on a program.
func Confirmed(program, row string) (Confirmation, bool) {
	for _, c := range Confirmations {
		if c.Program == program && c.Row == row {
			return c, true
		}
	}
	return Confirmation{}, false
}

// Check returns an error unless every failure of another library's server was
// confirmed, and what was confirmed still fails; and every probe passes on ours.
func Check(program string, results []Result) error {
	var errs []error
	for _, r := range results {
		_, confirmed := Confirmed(program, r.Probe.Row)
		switch failed := r.Mark == Failed; {
		case program == Ours && r.Mark != Passed:
			errs = append(errs, fmt.Errorf("%s does not pass on our own server: %v", r.Probe.Row, r.Cases))
		case failed && !confirmed && program != Ours:
			errs = append(errs, fmt.Errorf("%s fails on %s, and nobody has looked into it: %v", r.Probe.Row, program, r.Cases))
		case !failed && confirmed:
			errs = append(errs, fmt.Errorf("%s no longer fails on %s: what is confirmed about it is out of date", r.Probe.Row, program))
		}
	}
	return errors.Join(errs...)
}
