package oauthtest

import (
	"context"
	"crypto"
	"fmt"
	"maps"
	"net"
	"net/http"
	"sync"
	"time"
)

// Subject is whom tokens are for.
const Subject = "ada"

// Lifetime is how long a token is good.
const Lifetime = time.Hour

// Server is an authorization server that runs.
type Server struct {
	URL string // its issuer

	http *http.Server
	done chan struct{}

	mu      sync.Mutex
	signers map[string]*signer // by algorithm
	codes   map[string]grant   // by authorization code
	tokens  map[string]grant   // by refresh token
	clients map[string]client
	seen    []string // endpoints, in the order of their requests
}

// Start runs a server on a free port of the loopback address.
func Start(ctx context.Context) (*Server, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &Server{
		URL: "http://" + listener.Addr().String(), done: make(chan struct{}),
		codes: map[string]grant{}, tokens: map[string]grant{}, clients: map[string]client{},
	}
	if err := s.Rotate(); err != nil {
		return nil, err
	}
	s.http = &http.Server{Handler: s.routes(), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(listener) // until Close
	}()
	return s, nil
}

// Close ends the server.
func (s *Server) Close() {
	_ = s.http.Close() // nothing is left to be told
	<-s.done
}

// Rotate gives every algorithm a new key. The old ones are no longer published.
func (s *Server) Rotate() error {
	fresh := map[string]*signer{}
	for _, alg := range Algorithms {
		key, err := newSigner(alg)
		if err != nil {
			return err
		}
		fresh[alg] = key
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.signers = fresh
	return nil
}

// KeySetURL is where the keys are published.
func (s *Server) KeySetURL() string { return s.URL + "/jwks" }

// PublicKey is the key that verifies an algorithm's tokens.
func (s *Server) PublicKey(alg string) crypto.PublicKey {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.signers[alg].key.Public()
}

// Claims are those of a good access token for an audience, with changes; nil
// takes a claim away.
func (s *Server) Claims(audience string, changes map[string]any) map[string]any {
	now := time.Now()
	all := map[string]any{
		"iss": s.URL, "sub": Subject, "aud": audience, "client_id": "a-client",
		"iat": now.Unix(), "exp": now.Add(Lifetime).Unix(),
	}
	maps.Copy(all, changes)
	maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
	return all
}

// Token signs claims as an access token. header is on top of alg, kid and typ.
func (s *Server) Token(alg string, header, claims map[string]any) (string, error) {
	return s.Sign(alg, header, encodeJSON(claims))
}

// Sign signs claims that may be no good JSON.
func (s *Server) Sign(alg string, header map[string]any, claims []byte) (string, error) {
	s.mu.Lock()
	key := s.signers[alg]
	s.mu.Unlock()
	if key == nil {
		return "", fmt.Errorf("oauthtest: no algorithm %q", alg)
	}
	all := map[string]any{"alg": alg, "kid": key.public.Kid, "typ": "at+jwt"}
	maps.Copy(all, header)
	maps.DeleteFunc(all, func(_ string, v any) bool { return v == nil })
	return key.sign(encodeJSON(all), claims)
}

// Seen are the endpoints that were asked, in order.
func (s *Server) Seen() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.seen...)
}
