// Package core is what the author of a tool imports: tools, prompts, resources
// and templates, the event their handlers see, and the ways to ask the user.
// It knows no HTTP and no framework, so what is written here runs behind all of
// them.
//
// # Asking
//
// A handler that needs something from the user returns; it does not wait. The
// client comes back with the same call and the answers, and the handler runs
// again from the top (MCP 2026-07-28, multi round-trip requests). There are
// three styles, and one call keeps to one of them:
//
//   - Return style, for one question or several at once: [Ask.Answer] reads,
//     [Event.InputRequired] asks. Answers do not accumulate; each round brings
//     only those to its own questions.
//   - Typed state, for a chain with something to remember: [State.Open] and
//     [State.InputRequired] carry a sealed value through the client.
//   - Straight line, for a chain that reads like a program: [Ask.Require],
//     [RequireAll], [Memo], [Confirm] and [Commit]. Answers are kept in a sealed
//     journal. Mind that the code between two questions runs on every round;
//     what must happen once goes into Commit.
//
// Declined and cancelled are answers. A handler that treats them as "not asked
// yet" asks for ever; the five states of an [Answer] tell them apart.
//
// # Who is calling
//
// [Event.Principal] is verified on every request, by the server's
// [Authenticator]; what is sealed for one caller opens for no other. [Scopes] say
// what a feature needs of his credentials. A [Page] is for what a client must not
// see.
//
// # Errors
//
// What a handler returns decides what the client sees: the error of an ask is
// an interim result; an [*Error] a JSON-RPC error; any other error of a tool a
// result with isError, its text for the model. Of a prompt or resource a
// declined question is −32602 and any other error −32603. A panic is −32603 and
// its stack goes to the log.
//
// What does not live here: the server and what an operator configures
// (core/server), wire types (core/protocol), keys and tokens (core/seal), the
// single-use store (core/replay), unit tests of handlers (core/coretest).
package core
