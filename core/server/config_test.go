package server_test

import (
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server"
)

// Everything that is wrong comes back at once, each with its field, its value
// and what is allowed.
func TestConfigErrors(t *testing.T) {
	_, err := server.New(server.Config{
		Version: " ", WebsiteURL: "parley.example", Icons: []core.Icon{{Src: "file:///x", Theme: "blue"}},
		MaxBody: -1, MaxListens: -2, PageSize: -3, MaxRounds: 70_000,
		KeepAlive: -time.Second, WriteTimeout: -2 * time.Second, ListTTL: -3 * time.Second, RoundTTL: 2 * time.Hour,
		AllowedOrigins: []string{"*"}, AllowedHosts: []string{"https://x"},
		Keys:                   []seal.Key{seal.HexKey("abcd")},
		DangerouslyPublicLists: true, Visible: func(core.Principal, core.Feature) bool { return true },
	}, echoTool, echoTool)
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		`Config.Name is "": a name is required`,
		`Config.Version is " "`,
		`Config.WebsiteURL is "parley.example": an absolute http or https URL is allowed`,
		`Config.Icons[0]: the icon src "file:///x" must be an https, http or data URI`,
		`the icon theme "blue" must be light or dark`,
		`Config.MaxBody is -1: 0 or more is allowed`,
		`Config.MaxListens is -2`, `Config.PageSize is -3`, `Config.MaxRounds is 70000: 0 to 65535 is allowed`,
		`Config.KeepAlive is "-1s"`, `Config.WriteTimeout is "-2s"`, `Config.ListTTL is "-3s"`,
		`Config.RoundTTL is "2h0m0s": at most FlowTTL (1h0m0s) is allowed`,
		`AllowedOrigins: "*"`, `AllowedHosts: "https://x"`, `Config.Keys: `, `Config.DangerouslyPublicLists is true`,
		`the tool "echo" is registered already`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q:\n%v", want, err)
		}
	}
	for line := range strings.Lines(err.Error()) {
		if !strings.HasPrefix(line, "parley: ") {
			t.Errorf("line %q", line)
		}
	}
}

func TestServerInfo(t *testing.T) {
	url := start(t, func(c *server.Config) {
		c.Title, c.WebsiteURL = "Test", "https://parley.example"
		c.Icons = []core.Icon{{Src: "data:image/png;base64,AA==", MIMEType: "image/png"}}
	}, echoTool)
	const want = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"test","title":"Test","version":"1.2.3",` +
		`"websiteUrl":"https://parley.example","icons":[{"src":"data:image/png;base64,AA==","mimeType":"image/png"}]}}}}`
	if got := tell(t, url, call("echo", "")); !strings.HasSuffix(got.body, want) {
		t.Errorf("got %s", got.body)
	}
}

func TestMust(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Must did not panic")
		}
	}()
	server.Must(server.New(server.Config{}))
}

// Keys can come later, and are replaced as a whole or not at all.
func TestSetKeys(t *testing.T) {
	url, srv := statefulServer(t, nil)
	if got := tell(t, url, call("wizard", "")); got.code() != -32603 {
		t.Errorf("state without a key: %s", got.body)
	}
	if err := srv.SetKeys(seal.HexKey("00")); err == nil {
		t.Error("a short key was taken")
	}
	old := testKey('a')
	if err := srv.SetKeys(old); err != nil {
		t.Fatal(err)
	}
	first := tell(t, url, elicited(call("wizard", "")))
	state, _ := first.result()["requestState"].(string)
	if state == "" {
		t.Fatalf("no state: %s", first.body)
	}
	retry := elicited(call("wizard", ""))
	retry.params += `,"inputResponses":{},"requestState":"` + state + `"`
	if err := srv.SetKeys(testKey('b'), old.OpenOnly()); err != nil {
		t.Fatal(err)
	}
	if got := tell(t, url, retry); got.code() != 0 {
		t.Errorf("a state of the old key: %s", got.body)
	}
	if err := srv.SetKeys(testKey('b')); err != nil {
		t.Fatal(err)
	}
	refused{400, -32602, "Invalid request state"}.check(t, tell(t, url, retry), "1")
}
