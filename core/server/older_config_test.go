package server_test

import (
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core/server"
)

// Everything that is wrong with Legacy comes back at once.
func TestLegacyConfigErrors(t *testing.T) {
	for name, tc := range map[string]struct {
		legacy server.Legacy
		want   []string
	}{
		"zero": {},
		"all set": {legacy: server.Legacy{
			Versions: []string{v2025March, v2025Nov}, Sessions: true, MaxSessions: 1, MaxSessionsPerPrincipal: 1, SessionIdle: 1,
			EventBuffer: 1, MaxParked: 1, MaxParkedPerPrincipal: 1, AnswerTimeout: 1, CancelOnDisconnect: true,
		}},
		"off":     {legacy: server.Legacy{Off: true}},
		"version": {server.Legacy{Versions: []string{v2025June, "2024-11-05", version}}, []string{`Legacy.Versions[1] is "2024-11-05": one of ["2025-11-25" "2025-06-18" "2025-03-26"] is allowed`, `Legacy.Versions[2] is "2026-07-28"`}},
		"off, and yet": {server.Legacy{Off: true, Sessions: true, Versions: []string{v2025June}}, []string{
			`Legacy.Versions is []string{"2025-06-18"}: none is allowed with Off`, `Legacy.Sessions is true: only false is allowed with Off`,
		}},
		"negative": {server.Legacy{
			Sessions: true, MaxSessions: -1, MaxSessionsPerPrincipal: -2, SessionIdle: -time.Second,
			EventBuffer: -3, MaxParked: -4, MaxParkedPerPrincipal: -5, AnswerTimeout: -2 * time.Second,
		}, []string{
			`Legacy.MaxSessions is -1: 0 or more is allowed`, `Legacy.MaxSessionsPerPrincipal is -2`, `Legacy.SessionIdle is "-1s"`,
			`Legacy.EventBuffer is -3`, `Legacy.MaxParked is -4`, `Legacy.MaxParkedPerPrincipal is -5`, `Legacy.AnswerTimeout is "-2s"`,
		}},
		"without sessions": {server.Legacy{
			MaxSessions: 1, MaxSessionsPerPrincipal: 1, SessionIdle: 1, EventBuffer: 1, MaxParked: 1, MaxParkedPerPrincipal: 1, AnswerTimeout: 1,
		}, []string{
			`Legacy.MaxSessions is 1: it needs Sessions`, `MaxSessionsPerPrincipal is 1: it`, `SessionIdle is "1ns": it`,
			`EventBuffer is 1: it`, `MaxParked is 1: it`, `MaxParkedPerPrincipal is 1: it`, `AnswerTimeout is "1ns": it`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := server.New(server.Config{Name: "test", Version: "1", Legacy: tc.legacy}, echoTool)
			if (err == nil) != (tc.want == nil) {
				t.Fatalf("got %v", err)
			}
			lines := 0
			if err != nil {
				lines = strings.Count(err.Error(), "\n") + 1
			}
			if lines != len(tc.want) {
				t.Errorf("%d problems, want %d:\n%v", lines, len(tc.want), err)
			}
			for _, want := range tc.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error does not say %q:\n%v", want, err)
				}
			}
		})
	}
}
