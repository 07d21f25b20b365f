package probes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// resultProbes are about what a result looks like.
var resultProbes = []Probe{
	{
		Row: "T29", Short: "no null lists", Title: "lists are never null; interim results are not cached", run: probeMembers,
		Why: "the schema: content, messages and contents are arrays; InputRequiredResult is no CacheableResult",
	},
	{
		Row: "T30", Short: "private by default", Title: "lists and contents are private unless said otherwise", run: probePrivate,
		Why: "CacheableResult: public may be served across authorization contexts",
	},
	{
		Row: "T31", Short: "two kinds of error", Title: "an error for the model and one for the client stay apart", run: probeErrors,
		Why: "the schema, CallToolResult: what the tool meets is a result with isError, so that the model can see it; other exceptional conditions are MCP errors",
	},
	{
		Row: "T32", Short: "status of −32021", Title: "−32021 has status 400", run: probeMissingStatus,
		Why: "the schema, MissingRequiredClientCapabilityError: the status MUST be 400",
	},
	{
		Row: "T35", Short: "plain schemas", Title: "schemas are plain", run: probeSchemas,
		Why: "practice: clients that know no union of types, or no boolean schema, lose the whole list",
	},
}

const formCaps = `{"elicitation":{"form":{}}}`

func probeMembers(t *trial) {
	got := t.send(t.call("probe_empty", `{}`))
	t.expect(string(got.result()["content"]) == "[]", "a tool that returns a result without content", got)
	got = t.send(t.ask("resources/templates/list", ""))
	ok := string(got.result()["resourceTemplates"]) == "[]" || strings.HasPrefix(string(got.result()["resourceTemplates"]), "[{")
	t.expect(ok, "`resources/templates/list`", got)
	for _, r := range []*request{
		t.call("probe_ask", `{}`).withCaps(formCaps),
		t.ask("prompts/get", "probe_ask", `"name":"probe_ask"`).withCaps(formCaps),
		t.ask("resources/read", "probe://ask", `"uri":"probe://ask"`).withCaps(formCaps),
	} {
		got := t.send(r)
		if got.kind() != "input_required" {
			t.note(false, "`"+r.method+"` of what asks", got)
			continue
		}
		var wrong, more []string
		for name, value := range got.result() {
			text := name + ": " + string(value)
			switch {
			case slices.Contains([]string{"inputRequests", "requestState", "resultType", "_meta"}, name):
			case string(value) == "null" || name == "ttlMs" || name == "cacheScope":
				wrong = append(wrong, text)
			default:
				more = append(more, text)
			}
		}
		slices.Sort(wrong)
		t.expect(len(wrong) == 0, "`"+r.method+"` of what asks: null, or how long to keep it", words(fmt.Sprintf("%d, %q", got.status, wrong)))
		t.note(len(more) == 0, "the same: other members that it has no use for", words(fmt.Sprintf("%q", more)))
	}
}

func probePrivate(t *trial) {
	for _, r := range []*request{
		t.ask("tools/list", ""), t.ask("prompts/list", ""), t.ask("resources/list", ""),
	} {
		got := t.send(r)
		scope := unquote(got.result()["cacheScope"])
		t.expect(scope == "private", "`"+r.method+"`, nothing configured", words(fmt.Sprintf("%d, cacheScope %q", got.status, scope)))
	}
	got := t.send(t.ask("resources/read", "probe://ask", `"uri":"probe://ask"`, `"inputResponses":{"who":{"action":"decline"}}`).withCaps(formCaps))
	if got.kind() == "complete" {
		scope := unquote(got.result()["cacheScope"])
		t.expect(scope == "private", "`resources/read`, nothing configured", words(fmt.Sprintf("%d, cacheScope %q", got.status, scope)))
	}
}

func probeErrors(t *trial) {
	got := t.send(t.call("probe_error", `{}`))
	t.expect(string(got.result()["isError"]) == "true" && strings.Contains(got.body, "the printer is out of paper"),
		"a tool that fails, in the way that its library recommends", got)
	got = t.send(t.call("probe_refuse", `{}`))
	ok := got.code() == -32602 && strings.Contains(got.body, `"printer":"7"`)
	t.expect(ok, "a tool that returns −32602 with data", got)
}

func probeMissingStatus(t *trial) {
	got := t.send(t.call("probe_capability", `{}`))
	t.expect(got.is(400, -32021), "a tool that needs sampling, which the client did not declare", got)
}

func probeSchemas(t *trial) {
	got := t.send(t.ask("tools/list", ""))
	var list struct {
		Tools []struct {
			Name        string         `json:"name"`
			InputSchema map[string]any `json:"inputSchema"`
		} `json:"tools"`
	}
	_ = json.Unmarshal(got.answer().Result, &list) // then it is empty
	t.expect(len(list.Tools) > 10, "`tools/list`", words(fmt.Sprintf("%d tools", len(list.Tools))))
	for _, tool := range list.Tools {
		if !strings.HasPrefix(tool.Name, "probe_") {
			continue
		}
		properties, _ := tool.InputSchema["properties"].(map[string]any)
		for name, schema := range properties {
			s, isObject := schema.(map[string]any)
			_, union := s["type"].([]any)
			_, ref := s["$ref"]
			if !isObject || union || ref {
				text, _ := json.Marshal(schema) // it came as JSON
				t.expect(false, "the schema of `"+tool.Name+"."+name+"`", words("`"+string(text)+"`"))
			}
		}
		if tool.InputSchema["type"] != "object" {
			t.expect(false, "the root of the schema of `"+tool.Name+"`", words(fmt.Sprint(tool.InputSchema["type"])))
		}
	}
}
