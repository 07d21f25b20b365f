package probes_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"
)

// spoiler is what stands between a probe and a good server, and makes it a bad
// one. Any of its fields may be nil or zero.
type spoiler struct {
	// request changes what is passed on. A reply that it returns is the answer
	// instead.
	request func(r *http.Request, body string) (passed string, answer *spoiled)

	// answer changes a complete answer, which then comes in one piece.
	answer func(a *spoiled)

	deaf         bool // passes on no disconnect
	writeTimeout time.Duration
}

// spoiled is an answer.
type spoiled struct {
	status      int
	contentType string
	body        string
}

// deaf writes to clients that have gone.
type deaf struct{ http.ResponseWriter }

func (d deaf) Write(p []byte) (int, error) {
	_, _ = d.ResponseWriter.Write(p) // that is what it does not hear
	return len(p), nil
}

func (d deaf) Unwrap() http.ResponseWriter { return d.ResponseWriter }

func result(members string) *spoiled {
	return &spoiled{http.StatusOK, "application/json", `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",` + members + `}}`}
}

func refusal(status int, body string) *spoiled { return &spoiled{status, "application/json", body} }

// start stands in front of the server at target and returns its own URL.
func (s spoiler) start(t *testing.T, target string) string {
	t.Helper()
	u, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{DisableKeepAlives: true}
	proxy := &httputil.ReverseProxy{
		Transport:     transport,
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = u.Scheme, u.Host
			r.Out.Host = u.Host
		},
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
		ModifyResponse: func(r *http.Response) error {
			if s.answer == nil || r.Request.Header.Get("Mcp-Method") == "subscriptions/listen" { // which has no end
				return nil
			}
			data, err := io.ReadAll(r.Body)
			if err != nil {
				return err
			}
			a := &spoiled{r.StatusCode, r.Header.Get("Content-Type"), string(data)}
			s.answer(a)
			r.StatusCode, r.Body = a.status, io.NopCloser(strings.NewReader(a.body))
			r.Header.Set("Content-Type", a.contentType)
			r.Header.Del("Content-Length")
			r.ContentLength = -1
			return r.Body.Close()
		},
	}
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body) // what is missing shows in the answer
		body := string(data)
		if s.request != nil {
			var answer *spoiled
			if body, answer = s.request(r, body); answer != nil {
				w.Header().Set("Content-Type", answer.contentType)
				w.WriteHeader(answer.status)
				_, _ = io.WriteString(w, answer.body)
				return
			}
		}
		if s.deaf {
			ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context())) // without Done the proxy would look elsewhere
			defer cancel()
			r, w = r.WithContext(ctx), deaf{w}
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader([]byte(body))), int64(len(body))
		proxy.ServeHTTP(w, r)
	}))
	web.Config.WriteTimeout = s.writeTimeout
	web.Start()
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
		transport.CloseIdleConnections()
	})
	return web.URL + u.Path
}
