package banktest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/internal/wireschema"
)

// call is a request, its parts as they are written. What is "" is left out.
type call struct {
	method, name string // name is a resource's URI
	arguments    string
	state        string // JSON, such as a string in quotes
	answers      string // JSON, such as an object
	capabilities string // default: forms
}

func (c call) body() string {
	parts := []string{`"name":` + quote(c.name)}
	if c.method == "resources/read" {
		parts = []string{`"uri":` + quote(c.name)}
	}
	for member, value := range map[string]string{"arguments": c.arguments, "requestState": c.state, "inputResponses": c.answers} {
		if value != "" {
			parts = append(parts, quote(member)+":"+value)
		}
	}
	capabilities := c.capabilities
	if capabilities == "" {
		capabilities = `{"elicitation":{}}`
	}
	parts = append(parts, `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientCapabilities":`+capabilities+`}`)
	return `{"jsonrpc":"2.0","id":1,"method":` + quote(c.method) + `,"params":{` + strings.Join(parts, ",") + `}}`
}

func quote(s string) string {
	raw, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// reply is what comes back.
type reply struct {
	status      int
	contentType string
	body        string
	message
}

type message struct {
	Result *struct {
		ResultType    string              `json:"resultType"`
		InputRequests map[string]question `json:"inputRequests"`
		RequestState  string              `json:"requestState"`
		IsError       bool                `json:"isError"`
		Content       []struct {
			Text string `json:"text"`
		} `json:"content"`
		Contents []struct {
			Text string `json:"text"`
		} `json:"contents"`
		StructuredContent json.RawMessage `json:"structuredContent"`
	} `json:"result"`
	Error *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

type question struct {
	Params struct {
		Message         string `json:"message"`
		RequestedSchema struct {
			Properties map[string]struct {
				OneOf []struct{ Const, Title string } `json:"oneOf"`
				Enum  []string                        `json:"enum"`
			} `json:"properties"`
		} `json:"requestedSchema"`
	} `json:"params"`
}

// asks reports whether the reply asks something.
func (r reply) asks() bool { return r.Result != nil && r.Result.ResultType == "input_required" }

// completes reports whether the reply is the end of a call, and a good one.
func (r reply) completes() bool {
	return r.Result != nil && r.Result.ResultType == "complete" && !r.Result.IsError
}

// text is what a tool has to say.
func (r reply) text() string {
	if r.Result == nil || len(r.Result.Content) == 0 {
		return ""
	}
	return r.Result.Content[0].Text
}

func (r reply) String() string {
	return fmt.Sprintf("%d %s", r.status, r.body[:min(len(r.body), 2000)])
}

var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}, Timeout: 20 * time.Second}

// customer is somebody who calls a bank.
type customer struct {
	bank   *bank
	bearer string // his token; "" is none
}

// at is the same customer of another bank.
func (c customer) at(b *bank) customer {
	c.bank = b
	b.conceal("bearer token", c.bearer)
	return c
}

// post sends a body as it is.
func (c customer) post(ctx context.Context, method, name, body string) (reply, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.bank.url, strings.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("MCP-Protocol-Version", "2026-07-28")
	req.Header.Set("Mcp-Method", method)
	req.Header.Set("Mcp-Name", name)
	if c.bearer != "" {
		req.Header.Set("Authorization", "Bearer "+c.bearer)
	}
	resp, err := client.Do(req)
	if err != nil {
		return reply{}, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return reply{}, err
	}
	r := reply{status: resp.StatusCode, contentType: resp.Header.Get("Content-Type"), body: string(raw)}
	if r.contentType != "application/json" {
		return r, nil // not the MCP server's
	}
	if err := json.Unmarshal(raw, &r.message); err != nil {
		return r, fmt.Errorf("%w in %q", err, raw)
	}
	if err := wireschema.Check(method, raw); err != nil {
		return r, fmt.Errorf("%w in %q", err, raw)
	}
	if r.asks() {
		c.bank.conceal("state", r.Result.RequestState)
		c.bank.conceal("part of a state", r.Result.RequestState[len(r.Result.RequestState)/2:][:40])
	}
	return r, nil
}

// send makes a call.
func (c customer) send(t *testing.T, what call) reply {
	t.Helper()
	r, err := c.post(t.Context(), what.method, what.name, what.body())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// holdings are the contents of bank://ledger.
type holdings struct {
	Accounts []struct {
		Number, Label string
		Balance       int
	}
	Entries []struct {
		Account, To, Note string
		Amount, Fee       int
	}
}

// holdings are what the bank has booked for the customer.
func (c customer) holdings(t *testing.T) holdings {
	t.Helper()
	r := c.send(t, call{method: "resources/read", name: "bank://ledger"})
	if !r.completes() {
		t.Fatalf("bank://ledger: got %v", r)
	}
	var h holdings
	if err := json.Unmarshal([]byte(r.Result.Contents[0].Text), &h); err != nil {
		t.Fatal(err)
	}
	return h
}

// booked is how much was booked for the customer.
func (c customer) booked(t *testing.T) int {
	t.Helper()
	return len(c.holdings(t).Entries)
}
