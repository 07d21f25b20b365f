package banktest_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"testing"
	"time"
)

// driver is chromedriver, which speaks WebDriver (W3C) over plain HTTP.
type driver struct{ url string }

// startDriver starts one that ends with the test. Without a browser the test is
// skipped, unless PARLEY_REQUIRE_BROWSER says that there has to be one.
func startDriver(t *testing.T) driver {
	t.Helper()
	for _, command := range []string{"chromium", "chromedriver"} {
		_, err := exec.LookPath(command)
		if errors.Is(err, exec.ErrNotFound) && os.Getenv("PARLEY_REQUIRE_BROWSER") == "" {
			t.Skipf("the page is tested in a browser, and there is none here: install chromium and chromium-driver (%v)", err)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), lifetime)
	cmd := exec.CommandContext(ctx, "chromedriver", "--port=0")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait() // it was killed
	})
	started := regexp.MustCompile(`started successfully on port (\d+)`)
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		if m := started.FindStringSubmatch(lines.Text()); m != nil {
			return driver{"http://127.0.0.1:" + m[1]}
		}
	}
	t.Fatal("chromedriver does not say where it listens")
	return driver{}
}

// browser is one visitor: a Chromium with a profile of its own.
type browser struct {
	t   *testing.T
	url string // of its session
}

func (d driver) browser(t *testing.T) *browser {
	t.Helper()
	b := &browser{t: t, url: d.url + "/session"}
	var session struct{ SessionID string }
	b.do(http.MethodPost, "", object{"capabilities": object{"alwaysMatch": object{
		"browserName": "chrome",
		"goog:chromeOptions": object{"args": []string{
			"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
			"--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--user-data-dir=" + t.TempDir(),
		}},
	}}}, &session)
	b.url += "/" + session.SessionID
	t.Cleanup(func() { b.do(http.MethodDelete, "", nil, nil) })
	return b
}

// do is one command of WebDriver.
func (b *browser) do(method, command string, in, out any) {
	b.t.Helper()
	var body io.Reader = http.NoBody
	if method == http.MethodPost {
		body = bytes.NewReader([]byte(encode(in)))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, b.url+command, body)
	if err != nil {
		b.t.Fatal(err)
	}
	req.Close = true // chromedriver keeps connections open for ever
	resp, err := client.Do(req)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		b.t.Fatalf("%s %s: %s %s (%v)", method, command, resp.Status, raw, err)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(raw, &struct{ Value any }{out}); err != nil {
		b.t.Fatalf("%s %s: %v in %s", method, command, err, raw)
	}
}

func (b *browser) visit(url string) { b.do(http.MethodPost, "/url", object{"url": url}, nil) }

// element is the path of the first element that a CSS selector finds.
func (b *browser) element(selector string) string {
	b.t.Helper()
	var found map[string]string
	b.do(http.MethodPost, "/element", object{"using": "css selector", "value": selector}, &found)
	for _, id := range found {
		return "/element/" + id
	}
	b.t.Fatalf("no %s", selector)
	return ""
}

func (b *browser) has(selector string) bool {
	var found []any
	b.do(http.MethodPost, "/elements", object{"using": "css selector", "value": selector}, &found)
	return len(found) > 0
}

func (b *browser) fill(selector, text string) {
	b.t.Helper()
	b.do(http.MethodPost, b.element(selector)+"/value", object{"text": text}, nil)
}

// press clicks the button.
func (b *browser) press() {
	b.t.Helper()
	b.do(http.MethodPost, b.element("button")+"/click", object{}, nil)
}

// shows waits for a page with this visitor and this text. It is read in one go:
// the page may be another one a moment later.
func (b *browser) shows(who, text string) {
	b.t.Helper()
	const script = `return ["who", "text"].map(id => document.getElementById(id)?.textContent).join(": ")`
	got := ""
	for deadline := time.Now().Add(10 * time.Second); time.Now().Before(deadline); <-time.After(50 * time.Millisecond) {
		b.do(http.MethodPost, "/execute/sync", object{"script": script, "args": []any{}}, &got)
		if got == who+": "+text {
			return
		}
	}
	b.t.Fatalf("the page shows %q, want %q", got, who+": "+text)
}
