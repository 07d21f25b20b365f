package clients_test

import (
	"context"
	"fmt"
	"slices"
)

// A scenario is what every client is told to do, and what must come of it.
type scenario struct {
	name     string
	ops      []op
	run      func(ctx context.Context, s sessions) ([]string, error) // instead of ops
	want     []string
	links    bool
	anyOrder int // so many of the first lines
	// If it differs in older revisions, there without sessions, and without a way
	// to ask at all.
	legacy, stateless, refused []string
}

func (sc scenario) wanted(e era) []string {
	switch {
	case sc.refused != nil && !e.asks():
		return sc.refused
	case sc.stateless != nil && e.version != modern && !e.sessions:
		return sc.stateless
	case sc.legacy != nil && e.version != modern:
		return sc.legacy
	case sc.links && e.version == "2025-06-18": // the first in which forms can be asked
		return refused("text This call needs input from the user, and the client did not declare elicitation by URL.")
	}
	return sc.want
}

// refused is what comes of a tool that asks and cannot.
func refused(lines ...string) []string { return append(lines, "isError") }

const cannotAsk = "text This call needs input from the user, which clients can be asked for as of MCP 2026-07-28."

type args = map[string]any

func call(tool string, arguments args) op {
	return op{Do: doCall, Name: tool, Arguments: arguments}
}

func read(uri string) op { return op{Do: doRead, Name: uri} }

// by says what the user does.
func (o op) by(user string) op {
	o.User = user
	return o
}

// dropped is what comes of a call whose connection is closed, and for which that
// means nothing, as the older revisions say.
var dropped = []string{"text running", "text running"}

const signIn = "asked url: Please sign in. https://id.example/sign-in?for=interop"

var existingResources = []string{
	`test://static-text text/plain "This is the content of the static text resource." 0 bytes`,
	`test://static-binary image/png "" 70 bytes`,
	`test://template/123/data application/json "{\"id\":\"123\",\"templateTest\":true,\"data\":\"Data for ID: 123\"}" 0 bytes`,
}

var scenarios = []scenario{
	{name: "lists", run: lists, want: nil /* what the server has: TestClients */},
	{
		name: "structured content",
		ops:  []op{call("interop_structured", args{"a": 2, "b": 3}), call("interop_list", args{})},
		want: []string{
			`text {"sum":5,"of":[2,3]}`, `structured {"of":[2,3],"sum":5}`,
			`text ["one","two"]`, `structured ["one","two"]`,
		},
		legacy: []string{
			`text {"sum":5,"of":[2,3]}`, `structured {"of":[2,3],"sum":5}`,
			`text ["one","two"]`, `structured {"result":["one","two"]}`, // only objects there
		},
	},
	{
		name: "content",
		ops:  []op{call("test_multiple_content_types", args{}), call("test_audio_content", args{})},
		want: []string{
			"text Multiple content types test:", "image image/png 70 bytes", `resource test://mixed-content-resource application/json {"test":"data","value":123}`,
			"audio audio/wav 44 bytes",
		},
	},
	{
		name: "errors",
		ops:  []op{call("test_error_handling", args{}), call("interop_structured", args{"a": "two", "b": 3}), call("no_such_tool", args{})},
		want: []string{
			"text This tool intentionally returns an error for testing", "isError",
			`text Invalid arguments: a must be an integer.`, "isError",
			"error -32602",
		},
	},
	{
		name: "progress",
		ops:  []op{{Do: doCall, Name: "test_tool_with_progress", Arguments: args{}, Steps: 3}},
		want: []string{
			"progress 0/100 Started", "progress 50/100 Halfway", "progress 100/100 Done",
			"text Tool with progress executed successfully.",
		},
	},
	{
		name:   "resources",
		ops:    []op{read("test://static-text"), read("test://static-binary"), read("test://template/123/data"), read("test://no-such-resource")},
		want:   append(slices.Clone(existingResources), "error -32602"),
		legacy: append(slices.Clone(existingResources), "error -32002"),
	},
	{
		name: "prompt",
		ops:  []op{{Do: doGet, Name: "test_prompt_with_arguments", Arguments: args{"arg1": "one", "arg2": "two"}}},
		want: []string{"user: text Prompt with arguments: arg1='one', arg2='two'"},
	},
	{
		name: "prompt that asks", refused: []string{"error -32603"},
		ops:  []op{{Do: doGet, Name: "test_input_required_result_prompt"}},
		want: []string{"asked form: What context should the prompt use?", "user: text Use this context: interop"},
	},
	{
		name: "completion",
		ops:  []op{{Do: doComplete, Name: "test_prompt_with_arguments", Arguments: args{"arg1": "testV"}}},
		want: []string{"values testValue1"},
	},
	{name: "subscription", run: subscription, want: []string{seen}, stateless: []string{"error -32601"}},
	{name: "list changes", run: listChanges, want: []string{seen}, stateless: []string{"error -32601"}},
	{
		name: "one form", refused: refused(cannotAsk),
		ops:  []op{call("test_elicitation", args{"message": "Who is it?"})},
		want: []string{"asked form: Who is it?", "text User response: {Username:Ada Email:ada@example.com}"},
	},
	{
		name: "decline", refused: refused(cannotAsk),
		ops:  []op{call("test_elicitation", args{"message": "Who is it?"}).by("decline")},
		want: []string{"asked form: Who is it?", "text User response: Declined"},
	},
	{
		name: "cancel", refused: refused(cannotAsk),
		ops:  []op{call("test_elicitation", args{"message": "Who is it?"}).by("cancel")},
		want: []string{"asked form: Who is it?", "text User response: Cancelled"},
	},
	{
		name: "three asks at once", refused: refused(cannotAsk),
		ops: []op{call("interop_three_asks", args{})}, anyOrder: 3,
		want: []string{
			"asked form: What is your name?", "asked form: Which colour?", "asked form: Which size?",
			`text Accepted "Ada", Accepted "blue", Accepted 3`,
		},
	},
	{
		name: "three kinds at once", refused: refused(cannotAsk),
		ops: []op{call("test_input_required_result_multiple_inputs", args{})}, anyOrder: 2,
		want: []string{
			"asked form: What is your name?", "asked sampling: Generate a greeting", // and for the roots, that nobody needs to see
			"text Hello there, Ada! You have 1 roots.",
		},
	},
	{
		name: "link", refused: refused(cannotAsk),
		links: true,
		ops:   []op{call("interop_url", args{})},
		want:  []string{signIn, "text The visit was Accepted."},
	},
	{
		name: "link, declined", refused: refused(cannotAsk),
		links: true,
		ops:   []op{call("interop_url", args{}).by("decline")},
		want:  []string{signIn, "text The visit was Declined."},
	},
	{
		name: "rounds with typed state", refused: refused(cannotAsk),
		ops:  []op{call("test_input_required_result_multi_round", args{})},
		want: []string{"asked form: Step 1: What is your name?", "asked form: Step 2: What is your favorite color?", "text Ada likes blue"},
	},
	{
		name: "wizard of three rounds", refused: refused(cannotAsk),
		ops: []op{call("interop_wizard", args{})},
		want: []string{
			"asked form: What is your name?", "asked form: Which colour, Ada?", "asked form: Paint it blue?",
			"text Painted blue for Ada.",
		},
	},
	{
		name: "state only", refused: refused(cannotAsk),
		ops:  []op{call("interop_state_only", args{})},
		want: []string{"text Called again 2 times."},
	},
	{
		name: "cancellation", run: cancellation,
		want:      []string{"text running", cancelled},
		stateless: dropped, // nothing says whose call it was
	},
	{
		name: "one MiB", run: bigAnswer,
		want: []string{"text of 1048576 bytes, SHA-256 " + bigHash()},
	},
	{name: "transfer", run: transferMoney, anyOrder: 2, refused: append(refused(cannotAsk), "booked 0 times"), want: []string{
		"asked form: Add a note?", `asked form: Send 12.50 to "Bob" from which account?`,
		`asked form: Send 12.50 to "Bob" from Current, for a fee of F?`,
		`text {"number":"N","from":"Current","to":"Bob","amount":1250,"fee":F}`,
		`structured {"amount":1250,"fee":F,"from":"Current","number":"N","to":"Bob"}`,
		"booked 1 times",
	}},
	{name: "statement", run: statement, refused: []string{"error -32603"}, want: []string{
		"asked form: The statement of which account?",
		fmt.Sprintf("bank://statements/%s text/plain %q 0 bytes", "MONTH", "Current N in MONTH\nDATE 12.50 (fee F) to \"Bob\"\n"),
	}},
}
