package wireschema

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
)

// ValidateLegacy is [Validate] for a revision before 2026-07-28. Requests of
// the server's, and the batches of 2025-03-26, are messages there too.
func ValidateLegacy(t T, version, method string, raw []byte) {
	t.Helper()
	if err := CheckLegacy(version, method, raw); err != nil {
		t.Errorf("not what the schema allows: %v\n%s", err, raw)
	}
}

// CheckLegacy is [ValidateLegacy] for callers that have no test. The responses
// of a batch may answer any method, so "" leaves their results unchecked.
func CheckLegacy(version, method string, raw []byte) error {
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		return err
	}
	batch, ok := value.([]any)
	if !ok {
		return legacyMessage(version, method, value)
	}
	if version != "2025-03-26" || len(batch) == 0 {
		return fmt.Errorf("a batch of %d in %s", len(batch), version)
	}
	for _, element := range batch {
		if err := legacyMessage(version, method, element); err != nil {
			return err
		}
	}
	return nil
}

func legacyMessage(version, method string, value any) error {
	message, ok := value.(map[string]any)
	if !ok {
		return errors.New("a message is an object")
	}
	sent, _ := message["method"].(string)
	_, answers := message["id"]
	switch {
	case message["error"] != nil:
		return legacyFault(version, message)
	case message["result"] != nil:
		return legacyResponse(version, method, message)
	case answers && legacyRequests[sent] != "":
		return errors.Join(schemaOf(version, "JSONRPCRequest", message), schemaOf(version, legacyRequests[sent], message))
	case !answers && legacyNotifications[sent] != "":
		return errors.Join(schemaOf(version, "JSONRPCNotification", message), schemaOf(version, legacyNotifications[sent], message))
	}
	return fmt.Errorf("a server of %s does not send %q", version, sent)
}

// legacyFault gives an error an id where it has none: the older schemas demand
// one, and do not say how to answer what could not be read or has no session.
func legacyFault(version string, message map[string]any) error {
	name := "JSONRPCError"
	if version == "2025-11-25" {
		name = "JSONRPCErrorResponse"
	}
	if message["id"] == nil {
		message = maps.Clone(message)
		message["id"] = 0
	}
	return schemaOf(version, name, message)
}

func legacyResponse(version, method string, message map[string]any) error {
	name := "JSONRPCResponse"
	if version == "2025-11-25" {
		name = "JSONRPCResultResponse"
	}
	if err := schemaOf(version, name, message); err != nil {
		return err
	}
	result, ok := message["result"].(map[string]any)
	if !ok {
		return errors.New("a result is an object")
	}
	for _, member := range []string{"resultType", "ttlMs", "cacheScope", "inputRequests", "requestState"} {
		if _, has := result[member]; has {
			return fmt.Errorf("a result of %s has no %s", version, member)
		}
	}
	meta, _ := result["_meta"].(map[string]any)
	if _, has := meta["io.modelcontextprotocol/serverInfo"]; has {
		return fmt.Errorf("a result of %s has no serverInfo in _meta", version)
	}
	switch legacyResults[method] {
	case "":
		if method == "" {
			return nil
		}
		return fmt.Errorf("no method %q has a result", method)
	case emptyResult:
		if len(result) > 0 {
			return fmt.Errorf("the result of %s is empty", method)
		}
	}
	return schemaOf(version, legacyResults[method], result)
}

const emptyResult = "EmptyResult"

var legacyResults = map[string]string{
	"initialize":               "InitializeResult",
	"ping":                     emptyResult,
	"logging/setLevel":         emptyResult,
	"resources/subscribe":      emptyResult,
	"resources/unsubscribe":    emptyResult,
	"tools/list":               "ListToolsResult",
	"tools/call":               "CallToolResult",
	"prompts/list":             "ListPromptsResult",
	"prompts/get":              "GetPromptResult",
	"resources/list":           "ListResourcesResult",
	"resources/templates/list": "ListResourceTemplatesResult",
	"resources/read":           "ReadResourceResult",
	"completion/complete":      "CompleteResult",
}

var legacyRequests = map[string]string{
	"elicitation/create":     "ElicitRequest",
	"sampling/createMessage": "CreateMessageRequest",
	"roots/list":             "ListRootsRequest",
}

var legacyNotifications = map[string]string{
	"notifications/progress":               "ProgressNotification",
	"notifications/message":                "LoggingMessageNotification",
	"notifications/cancelled":              "CancelledNotification",
	"notifications/tools/list_changed":     "ToolListChangedNotification",
	"notifications/prompts/list_changed":   "PromptListChangedNotification",
	"notifications/resources/list_changed": "ResourceListChangedNotification",
	"notifications/resources/updated":      "ResourceUpdatedNotification",
}
