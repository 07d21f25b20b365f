package banktest_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestApplication: what the application served before, it still does.
func TestApplication(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		for path, want := range map[string]int{"/healthz": http.StatusNoContent, "/other": http.StatusNotFound, "/mcpx": http.StatusNotFound} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSuffix(b.url, "/mcp")+path, http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			if resp.StatusCode != want {
				t.Errorf("%s: got %s, want %d", path, resp.Status, want)
			}
		}
	})
}

// TestCompletion proposes months to the one for whom something was booked.
func TestCompletion(t *testing.T) {
	onEach(t, func(t *testing.T, b *bank) {
		alice, _ := b.newcomer(t)
		bob, _ := b.newcomer(t)
		alice.complete(t, alice.last(t, transfer))
		alice.complete(t, alice.last(t, transfer))
		now := time.Now().UTC()
		months := []string{now.Format("2006-01"), now.Add(-time.Minute).Format("2006-01")} // if it ends just now
		for _, ref := range []string{`{"type":"ref/prompt","name":"statement"}`, `{"type":"ref/resource","uri":"bank://statements/{month}"}`} {
			if got := alice.months(t, ref, now.Format("2006")); len(got) != 1 || !slices.Contains(months, got[0]) {
				t.Errorf("%s: got %q, want this month", ref, got)
			}
			for who, got := range map[string][]string{"another year": alice.months(t, ref, "19"), "bob": bob.months(t, ref, "")} {
				if len(got) != 0 {
					t.Errorf("%s, %s: got %q, want none", ref, who, got)
				}
			}
		}
	})
}

// months are what the bank proposes for a month that begins as typed.
func (c customer) months(t *testing.T, ref, typed string) []string {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":` + ref +
		`,"argument":{"name":"month","value":` + quote(typed) + `},"_meta":{` +
		`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	r, err := c.post(t.Context(), "completion/complete", "", body)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Result struct {
			Completion struct{ Values []string }
		}
	}
	if err := json.Unmarshal([]byte(r.body), &got); err != nil || !r.completes() {
		t.Fatalf("got %v (%v)", r, err)
	}
	return got.Result.Completion.Values
}
