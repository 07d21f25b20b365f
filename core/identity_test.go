package core_test

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/coretest"
)

func TestIdentityFromContext(t *testing.T) {
	want := core.Identity{Principal: somebody, Scopes: []string{"a"}, Expires: time.Now()}
	h := http.Header{"Authorization": {"Bearer x"}}
	got, err := core.IdentityFromContext().Authenticate(core.WithIdentity(t.Context(), want), h)
	if err != nil || got.Principal != want.Principal || len(got.Scopes) != 1 || !got.Expires.Equal(want.Expires) {
		t.Errorf("got %+v, %v", got, err)
	}
	// M11: what nobody has handed over is nobody.
	if got, err := core.IdentityFromContext().Authenticate(t.Context(), h); !errors.Is(err, core.ErrNoCredentials) || got.Valid() {
		t.Errorf("got %+v, %v", got, err)
	}
	who := core.PrincipalFunc(func(context.Context, core.Header) (core.Principal, error) { return somebody, errBoom })
	if got, err := who.Authenticate(t.Context(), h); !errors.Is(err, errBoom) || got.Principal != somebody || got.Scopes != nil || !got.Expires.IsZero() {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestValidScope(t *testing.T) {
	for _, good := range []string{"a", "files:read", "https://a.example/x?y=z", "!", "~", "#[]"} {
		if !core.ValidScope(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{"", " ", "a b", `a"b`, `a\b`, "a\tb", "a\r\nb", "\x00", "\x7f", "ä"} {
		if core.ValidScope(bad) {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestScopesOption(t *testing.T) {
	read := func(context.Context, *core.Event) (string, error) { return "", nil }
	good := core.NewResource("docs://a", "a", read, core.Scopes("x", "y"), core.Scopes("z"))
	if info := core.Info(good); len(info.Problems) > 0 || strings.Join(info.Scopes, " ") != "x y z" {
		t.Errorf("got %q, %v", info.Scopes, info.Problems)
	}
	raw, err := core.NewRawTool(core.ToolDefinition{Name: "raw", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *core.Event, json.RawMessage) (*core.ToolResult, error) { return nil, nil }, core.Scopes("x"))
	if err != nil || len(core.Info(raw).Scopes) != 1 {
		t.Errorf("a raw tool: %v", err)
	}
	for want, opts := range map[string][]core.FeatureOption{
		`the scope "a b"`:            {core.Scopes("a b")},
		`the scope ""`:               {core.Scopes("")},
		`the scope "a\"b"`:           {core.Scopes(`a"b`)},
		`the scope "offline_access"`: {core.Scopes("offline_access")},
		`is given twice`:             {core.Scopes("a", "a")},
		`CachePublic`:                {core.Scopes("a"), core.CachePublic()},
	} {
		info := core.Info(core.NewResource("docs://a", "a", read, opts...))
		if len(info.Problems) != 1 || !strings.Contains(info.Problems[0].Error(), want) {
			t.Errorf("got %v, want one with %s", info.Problems, want)
		}
	}
}

func TestEventScopes(t *testing.T) {
	tool := core.NewTool("t", "", func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
		if ev.HasScope("c") || ev.HasScope("") {
			return "", errBoom
		}
		if !ev.HasScope("b") {
			return "none", nil
		}
		return strings.Join(ev.Scopes(), "|"), nil
	})
	if got, err := coretest.Call(t, tool, core.NoInput{}, coretest.Scopes("a", "b")); err != nil || got != "a|b" {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := coretest.Call(t, tool, core.NoInput{}); err != nil || got != "none" {
		t.Errorf("got %q, %v", got, err)
	}
}

// A fingerprint tells callers apart and names none.
func TestFingerprint(t *testing.T) {
	seen := map[string]core.Principal{}
	for _, p := range []core.Principal{
		somebody,
		{Issuer: "i", Subject: "s"},
		{Issuer: "is", Subject: ""},
		{Issuer: "", Subject: "is"},
		{Issuer: "i", Subject: "s", Tenant: "t"},
		{Issuer: "i", Subject: "s", Client: "t"},
		core.Anonymous,
	} {
		f := p.Fingerprint()
		if other, twice := seen[f]; twice || f != p.Fingerprint() {
			t.Errorf("%+v and %+v are %s", p, other, f)
		}
		if seen[f] = p; p != core.Anonymous && !regexp.MustCompile(`^[0-9a-f]{12}$`).MatchString(f) {
			t.Errorf("got %q", f)
		}
	}
	// Without a key, whoever has a list of users could look one up.
	unkeyed := hmac.New(sha256.New, nil)
	for _, part := range []string{"i", "s", "", ""} {
		unkeyed.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		unkeyed.Write([]byte(part))
	}
	if _, found := seen[hex.EncodeToString(unkeyed.Sum(nil)[:6])]; found {
		t.Error("the fingerprint has no key")
	}
	var out bytes.Buffer
	log := slog.New(slog.NewTextHandler(&out, nil))
	log.Info("x", "who", somebody, "id", core.Identity{Principal: somebody, Scopes: []string{"s"}})
	if want := "who=" + somebody.Fingerprint() + " id=" + somebody.Fingerprint(); !strings.Contains(out.String(), want) || strings.Contains(out.String(), "alice") {
		t.Errorf("got %s, want %s", &out, want)
	}
}

// What core logs about a call says who called, without naming him.
func TestLogSaysWho(t *testing.T) {
	for name, who := range map[string]core.Principal{"somebody": somebody, "anonymous": core.Anonymous} {
		var out bytes.Buffer
		call := askable("wizard")
		state := "e1.nonsense"
		call.Principal, call.State, call.Arguments = who, &state, json.RawMessage(`{"Topic":"go"}`)
		core.Run(t.Context(), &core.Host{Keys: ring(t), Logger: slog.New(slog.NewTextHandler(&out, nil))}, wizardTool, call)
		want := "principal=" + who.Fingerprint()
		if log := out.String(); !strings.Contains(log, "reason=state_encoding") || strings.Contains(log, want) != (name == "somebody") ||
			strings.Contains(log, "alice") || strings.Contains(log, "anonymous") {
			t.Errorf("%s: %s", name, log)
		}
	}
}
