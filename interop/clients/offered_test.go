package clients_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// offered reads all lists of a server, page by page and without a client, as the
// scenario does.
func offered(t *testing.T, url string) []string {
	t.Helper()
	var out []string
	for _, list := range []struct{ method, kind, name string }{
		{"tools/list", "tools", "name"}, {"prompts/list", "prompts", "name"},
		{"resources/list", "resources", "uri"}, {"resources/templates/list", "resourceTemplates", "uriTemplate"},
	} {
		names, pages := page(t, url, list.method, list.kind, list.name)
		if list.kind == "tools" && pages < 3 {
			t.Fatalf("the list of tools has %d pages: too few to test anything", pages)
		}
		out = append(out, list.kind+": "+strings.Join(names, " "))
	}
	return out
}

func page(t *testing.T, url, method, kind, member string) (names []string, pages int) {
	t.Helper()
	for cursor := (any)(nil); pages < 20; pages++ {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{"cursor":%s,"_meta":{
			"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, method, quoted(cursor))
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("MCP-Protocol-Version", modern)
		req.Header.Set("Mcp-Method", method)
		req.Close = true
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var reply struct {
			Result map[string]json.RawMessage `json:"result"`
		}
		err = json.NewDecoder(res.Body).Decode(&reply)
		_ = res.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		var items []map[string]any
		if err := json.Unmarshal(reply.Result[kind], &items); err != nil {
			t.Fatal(err)
		}
		for _, item := range items {
			names = append(names, fmt.Sprint(item[member]))
		}
		if reply.Result["nextCursor"] == nil {
			return names, pages + 1
		}
		cursor = reply.Result["nextCursor"]
	}
	t.Fatalf("%s does not end", method)
	return nil, 0
}

// quoted is a cursor as it came, or null.
func quoted(cursor any) string {
	if raw, ok := cursor.(json.RawMessage); ok {
		return string(raw)
	}
	return "null"
}
