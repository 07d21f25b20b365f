package clients_test

import "slices"

// The limits of all clients, each client's together.
var limits = []limit{
	{
		client: mcpGo, only: hasSession, scenarios: []string{"cancellation"}, got: dropped,
		why:       "It does not send notifications/cancelled over HTTP, and a closed connection cancels nothing in these revisions.",
		reproduce: "CallTool with a context that is cancelled: the POST is closed, and no other follows.",
	},
	{
		client: clientV2, only: isLegacy, scenarios: []string{"resources"}, got: append(slices.Clone(existingResources), "error -32602"),
		why: "It shows the older code of a resource that does not exist, -32002, as the newer one.",
	},
	{client: aiSDK, scenarios: []string{"subscription", "list changes"}, why: "It has no subscriptions."},
	{client: aiSDK, scenarios: []string{"progress"}, got: noProgress, why: "It asks for no progress."},
	{
		client: aiSDK, only: hasSession, scenarios: []string{"cancellation"}, got: dropped,
		why:       "It does not send notifications/cancelled, and a closed connection cancels nothing in these revisions.",
		reproduce: "callTool with a signal that is aborted: the POST is closed, and no other follows.",
	},
	{
		client: aiSDK, only: isModern, scenarios: []string{"three kinds at once", "link", "link, declined"}, got: []string{"error -32021"},
		why: formsOnly,
	},
	{
		client: aiSDK, only: isAsking, scenarios: []string{"link", "link, declined"},
		got: refused("text This call needs input from the user, and the client did not declare elicitation by URL."),
		why: formsOnly,
	},
	{
		client: aiSDK, only: isAsking, scenarios: []string{"three kinds at once"},
		got: refused("text This call needs input from the user, and the client did not declare sampling, roots."),
		why: formsOnly,
	},
	{
		client: inspector, only: isModern, scenarios: slices.Concat(formScenarios, linkScenarios, []string{"three kinds at once", "prompt that asks", "statement"}),
		got: []string{"error -32021"},
		why: nothing,
	},
	{client: inspector, only: isModern, scenarios: []string{"transfer"}, got: []string{"error -32021", "booked 0 times"}, why: nothing},
	{
		client: inspector, only: isAsking, scenarios: formScenarios,
		got: refused("text This call needs input from the user, and the client did not declare elicitation by form."),
		why: nothing,
	},
	{
		client: inspector, only: isAsking, scenarios: []string{"transfer"},
		got: append(refused("text This call needs input from the user, and the client did not declare elicitation by form."), "booked 0 times"),
		why: nothing,
	},
	{
		client: inspector, only: isAsking, scenarios: []string{"three kinds at once"},
		got: refused("text This call needs input from the user, and the client did not declare elicitation by form, sampling."),
		why: nothing,
	},
	{
		client: inspector, only: isAsking, scenarios: linkScenarios,
		got: refused("text This call needs input from the user, and the client did not declare elicitation by URL."),
		why: nothing,
	},
	{client: inspector, only: isAsking, scenarios: []string{"prompt that asks", "statement"}, got: []string{"error -32603"}, why: nothing},
	{
		client: inspector, only: hasSession, scenarios: []string{"cancellation"}, got: dropped,
		why:       "It does not send notifications/cancelled when it is interrupted, and a closed connection cancels nothing in these revisions.",
		reproduce: "tools/call of a tool that takes long, then Ctrl-C: the POST is closed, and no other follows.",
	},
	{
		client: inspector, scenarios: []string{"completion", "subscription", "list changes"}, why: "It has no such command.",
	},
	{client: inspector, scenarios: []string{"progress"}, got: noProgress, why: "It shows no progress."},
	{client: inspector, scenarios: []string{"errors"}, got: unknownToCommand, why: "It reads the list of tools first, and does not call what is not on it."},
	{
		client: inspector, only: isLegacy, scenarios: []string{"resources"}, got: append(slices.Clone(existingResources), "error -32602"),
		why: "It shows the older code of a resource that does not exist, -32002, as the newer one.",
	},
	{client: mcpdo, scenarios: []string{"list changes"}, why: "It has no such command."},
	{client: mcpdo, scenarios: []string{"progress"}, got: noProgress, why: "It shows no progress."},
	{client: mcpdo, scenarios: []string{"errors"}, got: unknownToCommand, why: "It reads the list of tools first, and does not call what is not on it."},
	{
		client: mcpdo, scenarios: []string{"resources"},
		got: append(slices.Clone(existingResources), "error 0", "Resource not found"),
		why: noCode,
	},
	{
		client: mcpdo, only: isRefused, scenarios: []string{"prompt that asks", "statement"},
		got: []string{"error 0", "This call needs input from the user, which clients can be asked for as of MCP 2026-07-28"},
		why: noCode,
	},
	{
		client: mcpdo, only: isStateless, scenarios: []string{"subscription"}, got: []string{"error 0", "resources/subscribe has ended"},
		why: "The command ends with the error.",
	},
	{
		client: mcpdo, only: isModern, scenarios: []string{"three kinds at once"}, got: []string{"error 0", "Missing required client capability"},
		why: noSamples,
	},
	{
		client: mcpdo, only: isAsking, scenarios: []string{"three kinds at once"},
		got: refused("text This call needs input from the user, and the client did not declare sampling."),
		why: noSamples,
	},
	{
		client: mcpdo, only: asks, scenarios: []string{"link, declined"},
		got: []string{
			signIn, "error 0",
			"A URL elicitation can't be declined — use --done once the linked interaction is finished, or --cancel.",
		},
		why: "Its user can follow a link or cancel.",
	},
	{
		client: mcpdo, only: func(e era) bool { return e.sessions }, scenarios: []string{"cancellation"}, got: dropped,
		why:       "A command that is interrupted says that it was cancelled, and its daemon goes on with the call.",
		reproduce: "mcpdo tools/call of a tool that takes long, then Ctrl-C: the daemon neither closes the POST nor sends notifications/cancelled.",
	},
}

const (
	formsOnly = "It can be asked for forms only, and says so; what needs more is refused."
	nothing   = "It can be asked for nothing, and says so; what asks is refused."
	noSamples = "It cannot be asked for a sample, and says so; what needs one is refused."
	noCode    = "It shows the message of an error, and not the code."
)

var (
	noProgress    = []string{"text Tool with progress executed successfully."}
	linkScenarios = []string{"link", "link, declined"}
	formScenarios = []string{
		"one form", "decline", "cancel", "three asks at once", "rounds with typed state", "wizard of three rounds",
	}

	// unknownToCommand is what the inspector's commands make of errors.
	unknownToCommand = []string{
		"text This tool intentionally returns an error for testing", "isError",
		"text Invalid arguments: a must be an integer.", "isError",
		"error 0", "Tool 'no_such_tool' not found on server.",
	}
)
