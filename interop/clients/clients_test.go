package clients_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

var frameworks = []string{"stdlib", "chi", "gin", "fiber"}

// An era is a column of the table: a revision, with sessions in those before
// 2026-07-28 or without.
type era struct {
	version  string
	sessions bool
}

func (e era) String() string {
	if e.version != modern && !e.sessions {
		return e.version + " without sessions"
	}
	return e.version
}

// asks tells if a user can be asked.
func (e era) asks() bool { return e.sessions && e.version != "2025-03-26" }

// One server speaks to clients of all revisions, as it would for a user.
var eras = []era{
	{modern, true},
	{"2025-11-25", true},
	{"2025-06-18", true},
	{"2025-03-26", true},
	{"2025-11-25", false},
}

// A client connects to a server at a URL, with a token if it is not empty.
type client struct {
	name    string
	speaks  []string // versions that it can be pinned to
	connect func(t *testing.T, url, token, version string) session
}

// eras are those that it is tested in.
func (c client) eras() []era {
	return slices.DeleteFunc(slices.Clone(eras), func(e era) bool { return !slices.Contains(c.speaks, e.version) })
}

// The clients. Other tables name them.
const (
	goSDK     = "go-sdk v1.8.0"
	mcpGo     = "mcp-go v1.2.1"
	clientV2  = "@modelcontextprotocol/client 2.4.0"
	sdkV1     = "@modelcontextprotocol/sdk 1.32.2"
	aiSDK     = "@ai-sdk/mcp 2.0.99"
	inspector = "inspector CLI 2.12.0"
	mcpdo     = "mcpdo 2.12.0"
)

var clients = []client{
	{goSDK, []string{modern, "2025-11-25", "2025-06-18", "2025-03-26"}, connectGoSDK},
	{mcpGo, []string{modern, "2025-11-25", "2025-06-18", "2025-03-26"}, connectMCPGo},
	{clientV2, []string{modern, "2025-11-25"}, driven("client-v2.mjs")},
	{sdkV1, []string{"2025-11-25"}, driven("sdk-v1.mjs")},
	{aiSDK, []string{modern, "2025-11-25"}, driven("ai-sdk.mjs")},
	{inspector, []string{modern, "2025-11-25"}, driven("inspector-cli.mjs")},
	{mcpdo, []string{modern, "2025-11-25"}, driven("mcpdo.mjs")},
}

const modern = "2026-07-28"

// timeout is for one scenario: nothing in it takes long unless it hangs.
const timeout = 15 * time.Second

func TestClients(t *testing.T) {
	if err := build(); err != nil {
		t.Fatal(err)
	}
	for _, framework := range frameworks {
		t.Run(framework, func(t *testing.T) {
			t.Parallel()
			stateful, stateless := startServers(t, framework, "-legacy"), startServers(t, framework)
			// All at once: net/http waits for connections that a client has opened
			// and not used, as the one of Node.js does.
			t.Cleanup(func() { stateful.end(); stateless.end() })
			for _, e := range eras {
				s := stateless
				if e.sessions {
					s = stateful
				}
				t.Run(e.String(), func(t *testing.T) { testEra(t, s, e) })
			}
		})
	}
}

// servers are both programs on one framework.
type servers struct {
	everything, bank string // URLs
	lists            []string
	end              func()
}

func startServers(t *testing.T, framework string, flags ...string) servers {
	t.Helper()
	flags = append([]string{"-framework", framework}, flags...)
	// Small pages, and streams that show signs of life before they are over. On
	// Fiber these are also what notices that a client is gone.
	everything, endEverything := start(t, programs.everything, append(slices.Clone(flags), "-page-size", "7", "-keep-alive", "200ms")...)
	bank, endBank := start(t, programs.bank, flags...)
	lists, err := offered(t.Context(), everything)
	if err != nil {
		t.Fatal(err)
	}
	return servers{everything: everything, bank: bank, lists: lists, end: func() { endEverything(); endBank() }}
}

// testEra has all clients call the same servers, one after the other.
func testEra(t *testing.T, srv servers, e era) {
	for _, c := range clients {
		if !slices.Contains(c.speaks, e.version) {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			subject := strings.ToLower(strings.Map(alphanumeric, c.name+e.String()))
			s := sessions{
				name:       subject,
				url:        srv.everything,
				everything: c.connect(t, srv.everything, "", e.version),
				bank:       c.connect(t, srv.bank, token(t, subject), e.version),
			}
			defer func() {
				for _, err := range []error{s.everything.close(), s.bank.close()} {
					if err != nil {
						t.Errorf("to close the session: %v", err)
					}
				}
			}()
			for _, sc := range scenarios {
				t.Run(sc.name, func(t *testing.T) {
					want := sc.wanted(e)
					if sc.name == "lists" {
						want = srv.lists
					}
					check(t, c, e, sc, s, want)
				})
			}
		})
	}
}

// check has a client do a scenario. What comes of it must be what it should, or
// what the table says of this client.
func check(t *testing.T, c client, e era, sc scenario, s sessions, want []string) {
	t.Helper()
	l, limited := limitOf(c.name, e, sc.name)
	expected := want
	if limited {
		if l.got == nil {
			t.Skipf("the client cannot: %s", l.why)
		}
		expected = l.got
	}
	s.patience = 3 * time.Second
	if !slices.ContainsFunc(expected, takesTime) {
		s.patience = 300 * time.Millisecond // long enough to be wrong
	}
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	got, err := func() ([]string, error) {
		if sc.run != nil {
			return sc.run(ctx, s)
		}
		return run(ctx, s, sc.ops...)
	}()
	if err != nil {
		t.Fatalf("after %s: %v", show(got), err)
	}
	got = unordered(got, sc.anyOrder)
	switch {
	case slices.Equal(got, unordered(expected, sc.anyOrder)):
	case slices.Equal(got, unordered(want, sc.anyOrder)):
		t.Errorf("the client does it right now: take it out of the table: %s", l.why)
	default:
		t.Errorf("got %s\nwant %s", show(got), show(expected))
	}
}

// takesTime tells what has to be waited for.
func takesTime(line string) bool { return line == seen || line == cancelled }

func show(lines []string) string {
	var out strings.Builder
	for _, line := range lines {
		fmt.Fprintf(&out, "\n\t%.300s", line)
	}
	return out.String()
}

func alphanumeric(r rune) rune {
	if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
		return r
	}
	return -1
}
