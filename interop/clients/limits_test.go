package clients_test

import "slices"

// A limit is something that a client cannot do, or gets wrong.
type limit struct {
	client    string
	only      func(era) bool // nil: in all
	scenarios []string
	got       []string // what comes of them; nil: there is no way to try
	why       string
	reproduce string // of a defect: what it takes, and what comes of it
}

const (
	goSDK     = "go-sdk v1.8.0"
	mcpGo     = "mcp-go v1.2.1"
	clientV2  = "@modelcontextprotocol/client 2.4.0"
	sdkV1     = "@modelcontextprotocol/sdk 1.32.2"
	aiSDK     = "@ai-sdk/mcp 2.0.99"
	inspector = "inspector CLI 2.12.0"
	mcpdo     = "mcpdo 2.12.0"
)

// What some eras have in common.
func isModern(e era) bool    { return e.version == modern }
func isLegacy(e era) bool    { return e.version != modern }
func isAsking(e era) bool    { return isLegacy(e) && e.asks() }
func asks(e era) bool        { return e.asks() }
func isRefused(e era) bool   { return !e.asks() }
func isStateless(e era) bool { return isLegacy(e) && !e.sessions }

var limits = []limit{
	{
		client: mcpGo, only: isLegacy, scenarios: []string{"cancellation"}, got: dropped,
		why:       "It does not send notifications/cancelled over HTTP, and a closed connection cancels nothing in these revisions.",
		reproduce: "CallTool with a context that is cancelled: the POST is closed, and no other follows.",
	},
	{
		client: clientV2, only: isLegacy, scenarios: []string{"resources"}, got: append(slices.Clone(existingResources), "error -32602"),
		why: "It shows the older code for a resource that does not exist, -32002, as the newer one.",
	},
	{
		client: aiSDK, only: isLegacy, scenarios: []string{"cancellation"}, got: dropped,
		why:       "It does not send notifications/cancelled, and a closed connection cancels nothing in these revisions.",
		reproduce: "callTool with a signal that is aborted: the POST is closed, and no other follows.",
	},
	{
		client: aiSDK, only: isAsking, scenarios: []string{"link", "link, declined"},
		got: refused("text This call needs input from the user, and the client did not declare elicitation by URL."),
		why: "It can be asked for forms only, and says so; what needs more is refused.",
	},
	{
		client: aiSDK, only: isAsking, scenarios: []string{"three kinds at once"},
		got: refused("text This call needs input from the user, and the client did not declare sampling, roots."),
		why: "It can be asked for forms only, and says so; what needs more is refused.",
	},
	{
		client: inspector, only: isLegacy, scenarios: []string{"resources"}, got: append(slices.Clone(existingResources), "error -32602"),
		why: "It shows the older code for a resource that does not exist, -32002, as the newer one.",
	},
	{
		client: mcpdo, only: isAsking, scenarios: []string{"three kinds at once"},
		got: refused("text This call needs input from the user, and the client did not declare sampling."),
		why: "It cannot be asked for a sample, and says so; what needs one is refused.",
	},
	{client: aiSDK, scenarios: []string{"subscription", "list changes"}, why: "It has no subscriptions."},
	{
		client: aiSDK, scenarios: []string{"progress"}, got: []string{"text Tool with progress executed successfully."},
		why: "It asks for no progress.",
	},
	{
		client: aiSDK, only: isModern, scenarios: []string{"three kinds at once", "link", "link, declined"}, got: []string{"error -32021"},
		why: "It can be asked for forms only, and says so; what needs more is refused.",
	},
	{
		client: inspector, scenarios: []string{
			"prompt that asks", "one form", "decline", "cancel", "three asks at once", "three kinds at once", "link", "link, declined",
			"rounds with typed state", "wizard of three rounds", "transfer", "statement",
		},
		why: "It cannot ask a user: a command that would never ends.",
	},
	{client: inspector, scenarios: []string{"completion", "subscription", "list changes", "cancellation"}, why: "It has no such command."},
	{
		client: inspector, scenarios: []string{"progress"}, got: []string{"text Tool with progress executed successfully."},
		why: "It shows no progress.",
	},
	{client: inspector, scenarios: []string{"errors"}, got: unknownToCommand, why: "It reads the list of tools first, and does not call what is not on it."},
	{client: mcpdo, scenarios: []string{"list changes", "cancellation"}, why: "It has no such command."},
	{
		client: mcpdo, scenarios: []string{"progress"}, got: []string{"text Tool with progress executed successfully."},
		why: "It shows no progress.",
	},
	{client: mcpdo, scenarios: []string{"errors"}, got: unknownToCommand, why: "It reads the list of tools first, and does not call what is not on it."},
	{
		client: mcpdo, scenarios: []string{"resources"},
		got: append(slices.Clone(existingResources), "error 0", "Resource not found"),
		why: "It shows the message of an error, and not the code.",
	},
	{
		client: mcpdo, only: isModern, scenarios: []string{"three kinds at once"}, got: []string{"error 0", "Missing required client capability"},
		why: "It cannot be asked for a sample, and says so; what needs one is refused.",
	},
	{
		client: mcpdo, only: isRefused, scenarios: []string{"prompt that asks", "statement"},
		got: []string{"error 0", "This call needs input from the user, which clients can be asked for as of MCP 2026-07-28"},
		why: "It shows the message of an error, and not the code.",
	},
	{
		client: mcpdo, only: isStateless, scenarios: []string{"subscription"}, got: []string{"error 0", "resources/subscribe has ended"},
		why: "It shows the message of an error, and not the code.",
	},
	{
		client: mcpdo, only: asks, scenarios: []string{"link, declined"},
		got: []string{
			signIn, "error 0",
			"A URL elicitation can't be declined — use --done once the linked interaction is finished, or --cancel.",
		},
		why: "Its user can follow a link or cancel.",
	},
}

// unknownToCommand is what the inspector's commands make of errors.
var unknownToCommand = []string{
	"text This tool intentionally returns an error for testing", "isError",
	"text Invalid arguments: a must be an integer.", "isError",
	"error 0", "Tool 'no_such_tool' not found on server.",
}

func limitOf(client string, e era, scenario string) (limit, bool) {
	for _, l := range limits {
		if l.client == client && slices.Contains(l.scenarios, scenario) && (l.only == nil || l.only(e)) {
			return l, true
		}
	}
	return limit{}, false
}
