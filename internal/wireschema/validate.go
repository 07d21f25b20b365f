package wireschema

import (
	"encoding/json"
	"fmt"
)

// T is the part of testing.TB that is needed.
type T interface {
	Helper()
	Errorf(format string, args ...any)
}

// Validate fails t unless raw is one JSON-RPC message that the schema allows a
// server to send: a notification, an error, or a response to a request of the
// method.
func Validate(t T, method string, raw []byte) {
	t.Helper()
	if err := Check(method, raw); err != nil {
		t.Errorf("not what the schema allows: %v\n%s", err, raw)
	}
}

// Check is [Validate] for callers that have no test.
func Check(method string, raw []byte) error {
	var message map[string]any
	if err := json.Unmarshal(raw, &message); err != nil {
		return err
	}
	name, err := definition(method, message)
	if err != nil {
		return err
	}
	if err := against(name, message); err != nil {
		return err
	}
	if result, ok := message["result"]; ok {
		// A response allows an interim result as well, and so every result that
		// has a resultType: the result's own type is stricter.
		return checkResult(method, result)
	}
	return nil
}

// definition is the name of the definition that a message must meet.
func definition(method string, message map[string]any) (string, error) {
	if fault, ok := message["error"].(map[string]any); ok {
		code, _ := fault["code"].(float64)
		if name, ok := faults[int(code)]; ok {
			return name, nil
		}
		return "JSONRPCErrorResponse", nil
	}
	if _, ok := message["result"]; ok {
		if name, ok := results[method]; ok {
			return name + "Response", nil
		}
		return "", fmt.Errorf("no method %q has a result", method)
	}
	sent, _ := message["method"].(string)
	if name, ok := notifications[sent]; ok {
		return name, nil
	}
	return "", fmt.Errorf("a server does not send %q", sent)
}

func checkResult(method string, result any) error {
	name := results[method]
	if r, ok := result.(map[string]any); ok && r["resultType"] == "input_required" {
		if method != "tools/call" && method != "prompts/get" && method != "resources/read" {
			return fmt.Errorf("%s cannot ask", method)
		}
		name = "InputRequiredResult"
	}
	return against(name, result)
}

var results = map[string]string{
	"server/discover":          "DiscoverResult",
	"tools/list":               "ListToolsResult",
	"tools/call":               "CallToolResult",
	"prompts/list":             "ListPromptsResult",
	"prompts/get":              "GetPromptResult",
	"resources/list":           "ListResourcesResult",
	"resources/templates/list": "ListResourceTemplatesResult",
	"resources/read":           "ReadResourceResult",
	"completion/complete":      "CompleteResult",
	"subscriptions/listen":     "SubscriptionsListenResult",
}

var notifications = map[string]string{
	"notifications/progress":                   "ProgressNotification",
	"notifications/message":                    "LoggingMessageNotification",
	"notifications/tools/list_changed":         "ToolListChangedNotification",
	"notifications/prompts/list_changed":       "PromptListChangedNotification",
	"notifications/resources/list_changed":     "ResourceListChangedNotification",
	"notifications/resources/updated":          "ResourceUpdatedNotification",
	"notifications/subscriptions/acknowledged": "SubscriptionsAcknowledgedNotification",
}

var faults = map[int]string{
	-32020: "HeaderMismatchError",
	-32021: "MissingRequiredClientCapabilityError",
	-32022: "UnsupportedProtocolVersionError",
}

func against(name string, value any) error { return schemaOf("2026-07-28", name, value) }
