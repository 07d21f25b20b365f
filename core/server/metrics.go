package server

import "time"

// Metrics counts what a server does. Its methods are called from many
// goroutines, on the path of the request: they must be quick and must not
// block. All their strings come from small fixed sets, or from the names of
// registered features, so they can be labels.
type Metrics interface {
	// Call is told of every call of a feature when it has ended. method is one
	// of tools/call, prompts/get, resources/read and completion/complete; name
	// is the feature's; outcome is "complete", "input_required", "tool_error",
	// "error" or "gone" (the client did not wait for it).
	Call(method, name, outcome string, took time.Duration)

	// Refused is told of every request that was refused before a handler ran:
	// origin_repeated, origin_null, origin_malformed, origin_not_allowed,
	// origin_of_untrusted_host, host_not_allowed, host_not_loopback,
	// http_method, unauthenticated, token, authorization, scope, content_type,
	// content_encoding, body_size, body_consumed, body_truncated, json, envelope,
	// version, version_header, method_header, name_header, param_header, method,
	// accept, params, state_encoding, state_oversize, unknown (tool, prompt,
	// resource, reference or cursor), no_stream, listens, closing; of older
	// revisions session (no id, or that of none), sessions (too many) and
	// event_id.
	Refused(reason string)

	// Event is told of what handlers and their clients do that an operator
	// should know of. Of a state, or the link of a [core.Page], that does not
	// open: state_encoding, state_unknown_key, state_integrity, state_expired,
	// state_future, state_flow_expired, state_request, state_principal,
	// state_rounds, state_replay, state_oversize. Of answers and handlers:
	// answer_malformed, answer_invalid, answer_unsolicited, capability_refused,
	// pause_swallowed, pause_replaced, misuse, unstable_question. Of older
	// revisions: bridge_refused and bridge_timeout, for a question that was not
	// answered. And token_expired for each stream that ended with its caller's
	// credentials, and state_old_key for each state that an older key than the
	// sealing one opened: when it stays away, the old key can go.
	Event(reason string)

	// Listening is told how many subscriptions/listen streams are open, each
	// time that one begins or ends.
	Listening(open int)
}
