package conformance_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// The tests of this file show that the harness can fail.

func TestRunnerFailsABrokenServer(t *testing.T) {
	r := findRunner(t)
	broken := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{}")
	}))
	defer broken.Close()
	res := r.run(t, broken.URL+"/mcp", "--scenario", "tools-list", "--spec-version", "2026-07-28")
	if res.exitCode == 0 {
		t.Error("the runner ended with exit code 0")
	}
	problems := strings.Join(res.problems(1), "\n")
	if !strings.Contains(problems, "tools-list: tools-list: FAILURE: ") {
		t.Errorf("got problems %q, want the failure of tools-list", problems)
	}
}

func TestProblems(t *testing.T) {
	const (
		success = `{"id":"a","status":"SUCCESS"}`
		info    = `{"id":"b","status":"INFO"}`
		skipped = `{"id":"c","status":"SKIPPED"}`
	)
	tests := map[string]struct {
		checks   string // of the one scenario
		exitCode int
		want     string // part of the only problem; "" for none
	}{
		"pass":            {checks: success},
		"pass with notes": {checks: success + "," + info + "," + skipped},
		"failure":         {checks: success + `,{"id":"d","status":"FAILURE","errorMessage":"no tools"}`, exitCode: 1, want: "tools-list: d: FAILURE: no tools"},
		"warning":         {checks: success + `,{"id":"d","status":"WARNING","description":"same order"}`, want: "tools-list: d: WARNING: same order"},
		"unknown status":  {checks: success + `,{"id":"d","status":"success"}`, want: "tools-list: d: success"},
		"no check":        {checks: "", want: "tools-list: none of 0 checks succeeded"},
		"only notes":      {checks: info + "," + skipped, want: "tools-list: none of 2 checks succeeded"},
		"exit code":       {checks: success, exitCode: 1, want: "exit code 1"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeChecks(t, dir, "server-tools-list-2026-07-28T10-11-12-131Z", "["+tt.checks+"]")
			scenarios, err := readScenarios(dir)
			if err != nil {
				t.Fatal(err)
			}
			problems := result{exitCode: tt.exitCode, scenarios: scenarios}.problems(1)
			switch {
			case tt.want == "" && len(problems) == 0:
			case tt.want != "" && len(problems) == 1 && strings.Contains(problems[0], tt.want):
			default:
				t.Errorf("got problems %q, want %q", problems, tt.want)
			}
		})
	}
}

func TestProblemsCountsScenarios(t *testing.T) {
	dir := t.TempDir()
	writeChecks(t, dir, "server-server-stateless-2026-07-28T10-11-12-131Z", `[{"id":"a","status":"SUCCESS"}]`)
	scenarios, err := readScenarios(dir)
	if err != nil {
		t.Fatal(err)
	}
	problems := result{scenarios: scenarios}.problems(2)
	if len(problems) != 1 || problems[0] != "1 scenarios ran, want 2: [server-stateless]" {
		t.Errorf("got problems %q", problems)
	}
	if problems := (result{}).problems(40); len(problems) != 1 {
		t.Errorf("a run without scenarios: got problems %q, want one", problems)
	}
}

func TestReadScenariosRefuses(t *testing.T) {
	for name, folder := range map[string]string{
		"no JSON":        "server-tools-list-2026-07-28T10-11-12-131Z",
		"unknown folder": "tools-list",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeChecks(t, dir, folder, "")
			if got, err := readScenarios(dir); err == nil {
				t.Errorf("got %v, want an error", got)
			}
		})
	}
}

func writeChecks(t *testing.T, dir, folder, checks string) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, folder, "checks.json"), []byte(checks), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestStop(t *testing.T) {
	const ready = "echo listening on http://127.0.0.1:1/mcp; "
	tests := map[string]struct {
		script string
		want   string // part of the error; "" for none
	}{
		"in time":       {`trap "exit 0" TERM; ` + ready + "while :; do sleep 0.01; done", ""},
		"failing":       {`trap "echo no good >&2; exit 3" TERM; ` + ready + "while :; do sleep 0.01; done", "exit status 3\nno good"},
		"by the signal": {ready + "exec sleep 60", "signal: terminated"},
		"not at all":    {`trap "" TERM; ` + ready + "exec sleep 60", "signal: killed"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			f := startFixture(t, 500*time.Millisecond, "sh", "-c", tt.script)
			err := f.stop()
			switch {
			case tt.want == "" && err == nil:
			case tt.want != "" && err != nil && strings.Contains(err.Error(), tt.want):
			default:
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}
