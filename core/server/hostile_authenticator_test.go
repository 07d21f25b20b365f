package server_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

type authenticatorFunc func(context.Context, core.Header) (core.Identity, error)

func (f authenticatorFunc) Authenticate(ctx context.Context, h core.Header) (core.Identity, error) {
	return f(ctx, h)
}

// M11: an authenticator that fails in whatever way lets nobody in, and says
// neither to the client nor in the log what it was shown.
func TestHostileAuthenticator(t *testing.T) {
	const token = "secret-token"
	named := core.Principal{Issuer: "https://id.example", Subject: "secret-ada"}
	for name, tc := range map[string]struct {
		f      authenticatorFunc
		status int
	}{
		"panics": {func(_ context.Context, h core.Header) (core.Identity, error) {
			panic("bad " + h.Get("Authorization"))
		}, 500},
		"panics with error": {func(context.Context, core.Header) (core.Identity, error) {
			panic(errors.New("bad"))
		}, 500},
		"nil panic": {func(context.Context, core.Header) (core.Identity, error) {
			panic(any(nil))
		}, 500},
		"runtime": {func(_ context.Context, h core.Header) (core.Identity, error) {
			_ = h.Values("X")[5]
			return core.Identity{}, nil
		}, 500},
		"nobody": {func(context.Context, core.Header) (core.Identity, error) {
			return core.Identity{}, nil
		}, 401},
		"no subject": {func(context.Context, core.Header) (core.Identity, error) {
			return core.Identity{Principal: core.Principal{Issuer: "x", Subject: " \t"}}, nil
		}, 401},
		"scopes of nobody": {func(context.Context, core.Header) (core.Identity, error) {
			return core.Identity{Scopes: []string{"write"}}, nil
		}, 401},
		"anonymous, tenant": {func(context.Context, core.Header) (core.Identity, error) {
			p := core.Anonymous
			p.Tenant = "x"
			return core.Identity{Principal: p}, nil
		}, 401},
		"identity and error": {func(context.Context, core.Header) (core.Identity, error) {
			return core.Identity{Principal: named, Scopes: []string{"write"}}, errors.New("no")
		}, 401},
		"wrapped": {func(context.Context, core.Header) (core.Identity, error) {
			return core.Identity{}, fmt.Errorf("x: %w", core.ErrMalformedCredentials)
		}, 400},
	} {
		t.Run(name, func(t *testing.T) {
			inStyles(t, func(t *testing.T, detached bool) {
				var log bytes.Buffer
				srv := newServer(t, func(c *server.Config) {
					c.Authenticator = tc.f
					c.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
				}, twoQuestions())
				url := serve(t, &bridge{srv: srv, detached: detached})
				got := tell(t, url, as(token, ask{method: "tools/list"}))
				if got.status != tc.status || strings.Contains(got.body, "secret") || strings.Contains(got.body, "guarded") {
					t.Errorf("%d %s", got.status, got.body)
				}
				if strings.Contains(log.String(), "secret") || tc.status == 500 && log.Len() == 0 {
					t.Errorf("log: %s", &log)
				}
			})
		})
	}
}
