package oauthtest

import (
	"crypto/rand"
	"crypto/sha256"
	"io"
	"net/http"
	"net/url"
	"slices"

	"github.com/parleymcp/parley/internal/jsonx"
)

// grant is what a user has allowed a client.
type grant struct{ client, redirect, challenge, scope, resource string }

type client struct {
	RedirectURIs []string `json:"redirect_uris"`
}

func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	for pattern, serve := range map[string]http.HandlerFunc{
		"GET /.well-known/oauth-authorization-server": s.metadata,
		"GET /jwks":      s.keys,
		"POST /register": s.register,
		"GET /authorize": s.authorize,
		"POST /token":    s.token,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.seen = append(s.seen, r.URL.Path)
			serve(w, r)
		})
	}
	return mux
}

// metadata is what RFC 8414 asks for.
func (s *Server) metadata(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, map[string]any{
		"issuer":                                         s.URL,
		"authorization_endpoint":                         s.URL + "/authorize",
		"token_endpoint":                                 s.URL + "/token",
		"registration_endpoint":                          s.URL + "/register",
		"jwks_uri":                                       s.KeySetURL(),
		"response_types_supported":                       []string{"code"},
		"grant_types_supported":                          []string{"authorization_code", "refresh_token"},
		"code_challenge_methods_supported":               []string{"S256"},
		"token_endpoint_auth_methods_supported":          []string{"none"},
		"authorization_response_iss_parameter_supported": true,
	})
}

func (s *Server) keys(w http.ResponseWriter, _ *http.Request) {
	var keys []jwk
	for _, alg := range Algorithms {
		keys = append(keys, s.signers[alg].public)
	}
	answer(w, http.StatusOK, map[string]any{"keys": keys})
}

// register takes every client (RFC 7591).
func (s *Server) register(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	var c client
	if err != nil || jsonx.Unmarshal(raw, &c) != nil || len(c.RedirectURIs) == 0 {
		refuse(w, "invalid_client_metadata")
		return
	}
	id := rand.Text()
	s.clients[id] = c
	answer(w, http.StatusCreated, map[string]any{
		"client_id": id, "redirect_uris": c.RedirectURIs, "token_endpoint_auth_method": "none",
		"grant_types": []string{"authorization_code", "refresh_token"}, "response_types": []string{"code"},
	})
}

// authorize asks nobody and redirects at once.
func (s *Server) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	redirect, err := url.Parse(q.Get("redirect_uri"))
	c, known := s.clients[q.Get("client_id")]
	if err != nil || !known || !slices.Contains(c.RedirectURIs, q.Get("redirect_uri")) ||
		q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" ||
		q.Get("code_challenge") == "" || q.Get("resource") == "" {
		refuse(w, "invalid_request")
		return
	}
	code := rand.Text()
	s.codes[code] = grant{
		client: q.Get("client_id"), redirect: q.Get("redirect_uri"), challenge: q.Get("code_challenge"),
		scope: q.Get("scope"), resource: q.Get("resource"),
	}
	back := redirect.Query()
	back.Set("code", code)
	back.Set("iss", s.URL)
	if state := q.Get("state"); state != "" {
		back.Set("state", state)
	}
	redirect.RawQuery = back.Encode()
	http.Redirect(w, r, redirect.String(), http.StatusFound) //nolint:gosec // it is what an authorization server is for
}

// token redeems a code once, with the verifier of its challenge (RFC 7636).
func (s *Server) token(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		refuse(w, "invalid_request")
		return
	}
	var g grant
	var known bool
	switch r.PostForm.Get("grant_type") {
	case "authorization_code":
		code := r.PostForm.Get("code")
		g, known = s.codes[code]
		delete(s.codes, code)
		sum := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
		known = known && encode(sum[:]) == g.challenge && r.PostForm.Get("redirect_uri") == g.redirect
	case "refresh_token":
		g, known = s.tokens[r.PostForm.Get("refresh_token")]
		delete(s.tokens, r.PostForm.Get("refresh_token"))
	}
	if !known || r.PostForm.Get("client_id") != g.client || r.PostForm.Get("resource") != g.resource {
		refuse(w, "invalid_grant")
		return
	}
	key := s.signers["ES256"]
	signed, err := key.sign(encodeJSON(map[string]any{"alg": "ES256", "kid": key.public.Kid, "typ": "at+jwt"}),
		encodeJSON(s.Claims(g.resource, map[string]any{"scope": g.scope, "client_id": g.client, "jti": rand.Text()})))
	if err != nil {
		refuse(w, "server_error")
		return
	}
	refresh := rand.Text()
	s.tokens[refresh] = g
	answer(w, http.StatusOK, map[string]any{
		"access_token": signed, "token_type": "Bearer", "expires_in": int(Lifetime.Seconds()),
		"refresh_token": refresh, "scope": g.scope,
	})
}

func refuse(w http.ResponseWriter, code string) {
	answer(w, http.StatusBadRequest, map[string]any{"error": code})
}

func answer(w http.ResponseWriter, status int, body map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write(encodeJSON(body)) // who does not listen is not told
}
