package main

import (
	"cmp"
	"crypto/rand"
	_ "embed"
	"errors"
	"html/template"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/parleymcp/parley/core"
)

const (
	loginPath   = "/login"
	connectPath = "/connect"

	sessionCookie   = "bank_session"
	sessionLifetime = 15 * time.Minute
)

// website is where people go with a browser: they log in, and agree to what a
// tool has asked. It is plain net/http on every framework.
type website struct {
	base        string // its URL, without a slash at the end
	customers   core.Authenticator
	host        func() *core.Host // of the MCP server, whose links it opens
	connections connections
	mux         *http.ServeMux
	guard       *http.CrossOriginProtection // of forms that another site sends

	mu       sync.Mutex
	sessions map[string]session // by cookie
}

// session is a visitor who has logged in.
type session struct {
	who  core.Principal
	ends time.Time
}

func newWebsite(base string, customers core.Authenticator) *website {
	s := &website{
		base: base, customers: customers, sessions: map[string]session{},
		connections: connections{agreed: map[string]bool{}}, mux: http.NewServeMux(), guard: http.NewCrossOriginProtection(),
	}
	s.mux.HandleFunc("POST "+loginPath, s.login)
	s.mux.HandleFunc("GET "+connectPath, s.confirm)
	s.mux.HandleFunc("POST "+connectPath, s.agree)
	return s
}

// ServeHTTP keeps the token of a link out of the headers of other sites, and the
// pages out of their frames.
func (s *website) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'; form-action 'self'; frame-ancestors 'none'")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	s.guard.Handler(s.mux).ServeHTTP(w, r)
}

// login takes a token instead of a password: this bank knows people by nothing
// else. Where there is a real login, it is the same one that the authorization
// server uses, so that both mean the same user.
func (s *website) login(w http.ResponseWriter, r *http.Request) {
	link := r.PostFormValue(core.LinkParam)
	id, err := s.customers.Authenticate(r.Context(), http.Header{"Authorization": {"Bearer " + r.PostFormValue("token")}})
	if err != nil || id.IsAnonymous() {
		s.show(w, http.StatusUnauthorized, page{Login: true, Text: "That is no good token.", Link: link})
		return
	}
	cookie := http.Cookie{ //nolint:gosec // it is Secure where the site is: on https
		Name: sessionCookie, Value: rand.Text(), Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: strings.HasPrefix(s.base, "https:"), MaxAge: int(sessionLifetime.Seconds()),
	}
	s.mu.Lock()
	s.sessions[cookie.Value] = session{id.Principal, time.Now().Add(sessionLifetime)}
	s.mu.Unlock()
	http.SetCookie(w, &cookie)
	http.Redirect(w, r, connectPath+"?"+core.LinkParam+"="+template.URLQueryEscaper(link), http.StatusSeeOther) //nolint:gosec // to a path of ours
}

// visitor is who has logged in; false for nobody.
func (s *website) visitor(r *http.Request) (core.Principal, bool) {
	cookie, err := r.Cookie(sessionCookie)
	if err != nil {
		return core.Principal{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	known, ok := s.sessions[cookie.Value]
	if !ok || time.Now().After(known.ends) {
		delete(s.sessions, cookie.Value)
		return core.Principal{}, false
	}
	return known.who, true
}

// open finds out whether the visitor is the user whom the tool has asked.
// Otherwise it has answered.
func (s *website) open(w http.ResponseWriter, r *http.Request) (visit core.Visit[elsewhere], who core.Principal, ok bool) {
	link := r.FormValue(core.LinkParam)
	who, ok = s.visitor(r)
	if !ok {
		s.show(w, http.StatusUnauthorized, page{Login: true, Text: "Who are you?", Link: link})
		return visit, who, false
	}
	visit, err := connectPage.Open(r.Context(), s.host(), who, link)
	if err != nil {
		status := http.StatusForbidden
		if !errors.Is(err, core.ErrLink) {
			status = http.StatusInternalServerError
		}
		s.show(w, status, page{Text: "This link is not for you, or too old. Nothing was done."})
		return visit, who, false
	}
	return visit, who, true
}

// confirm shows what will happen, and does nothing.
func (s *website) confirm(w http.ResponseWriter, r *http.Request) {
	if visit, who, ok := s.open(w, r); ok {
		s.show(w, http.StatusOK, page{
			Who: who.Subject, Link: r.FormValue(core.LinkParam), Agree: true,
			Text: "Connect your account at " + visit.Data.Bank + "?",
		})
	}
}

// agree does it. Here the other bank would be next.
func (s *website) agree(w http.ResponseWriter, r *http.Request) {
	if visit, who, ok := s.open(w, r); ok {
		s.connections.agree(visit.Flow)
		s.show(w, http.StatusOK, page{Who: who.Subject, Text: "Connected. You can close this page."})
	}
}

// page is what a visitor sees.
type page struct {
	Who, Text, Link string
	Login, Agree    bool
}

//go:embed website.html
var pageHTML string

var pages = template.Must(template.New("page").Parse(pageHTML))

func (s *website) show(w http.ResponseWriter, status int, p page) {
	p.Who = cmp.Or(p.Who, "nobody")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	if err := pages.Execute(w, p); err != nil { // the visitor has gone
		slog.Debug("a page was not written", "error", err)
	}
}
