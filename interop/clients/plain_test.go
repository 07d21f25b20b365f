package clients_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// request calls a server without a client.
func request(ctx context.Context, url, method, name string, params map[string]any) (map[string]json.RawMessage, error) {
	params["_meta"] = map[string]any{
		"io.modelcontextprotocol/protocolVersion": modern, "io.modelcontextprotocol/clientCapabilities": map[string]any{},
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Close = true
	for header, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json", "MCP-Protocol-Version": modern, "Mcp-Method": method, "Mcp-Name": name,
	} {
		req.Header.Set(header, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	var reply struct {
		Result map[string]json.RawMessage `json:"result"`
		Error  json.RawMessage            `json:"error"`
	}
	if err := json.NewDecoder(res.Body).Decode(&reply); err != nil {
		return nil, err
	}
	if reply.Error != nil {
		return nil, fmt.Errorf("%s %s: %s", method, name, reply.Error)
	}
	return reply.Result, nil
}

// observed calls a tool, and returns its text.
func observed(ctx context.Context, url, tool string, arguments args) (string, error) {
	result, err := request(ctx, url, "tools/call", tool, args{"name": tool, "arguments": arguments})
	if err != nil {
		return "", err
	}
	var items []content
	if err := json.Unmarshal(result["content"], &items); err != nil {
		return "", err
	}
	return fmt.Sprint(items[0]), nil
}

// offered reads all lists of a server, page by page, as the scenario does.
func offered(ctx context.Context, url string) ([]string, error) {
	var out []string
	for _, list := range []struct{ method, kind, name string }{
		{"tools/list", "tools", "name"},
		{"prompts/list", "prompts", "name"},
		{"resources/list", "resources", "uri"},
		{"resources/templates/list", "resourceTemplates", "uriTemplate"},
	} {
		names, pages, err := allPages(ctx, url, list.method, list.kind, list.name)
		if err != nil {
			return nil, err
		}
		if list.kind == "tools" && pages < 3 {
			return nil, fmt.Errorf("the list of tools has %d pages: too few to test anything", pages)
		}
		out = append(out, list.kind+": "+strings.Join(names, " "))
	}
	return out, nil
}

// allPages reads one list to its end.
func allPages(ctx context.Context, url, method, kind, member string) (names []string, pages int, err error) {
	params := map[string]any{}
	for pages = 1; pages < 20; pages++ {
		result, err := request(ctx, url, method, "", params)
		if err != nil {
			return nil, 0, err
		}
		var items []map[string]any
		if err := json.Unmarshal(result[kind], &items); err != nil {
			return nil, 0, err
		}
		for _, item := range items {
			names = append(names, fmt.Sprint(item[member]))
		}
		if result["nextCursor"] == nil {
			return names, pages, nil
		}
		params["cursor"] = result["nextCursor"]
	}
	return nil, 0, errors.New(method + " does not end")
}
