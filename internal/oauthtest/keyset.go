package oauthtest

import (
	"context"
	"crypto"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/parleymcp/parley/internal/jsonx"
)

// KeySet looks up the keys of an issuer by the kid of a token, and fetches them
// anew for one that it does not know: that is how keys are rotated.
type KeySet struct {
	url string

	mu    sync.Mutex
	byKid map[string]jwk
}

// NewKeySet makes a client of the key set at url.
func NewKeySet(url string) *KeySet { return &KeySet{url: url} }

// Key returns the key that signs alg under that kid.
func (s *KeySet) Key(kid, alg string) (crypto.PublicKey, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, known := s.byKid[kid]; !known {
		if err := s.fetch(); err != nil {
			return nil, err
		}
	}
	k, known := s.byKid[kid]
	if !known || k.Alg != alg {
		return nil, fmt.Errorf("oauthtest: no key %q for %q", kid, alg)
	}
	return k.public()
}

func (s *KeySet) fetch() error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url, http.NoBody)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	if err != nil {
		return err
	}
	var set struct {
		Keys []jwk `json:"keys"`
	}
	if err := jsonx.Unmarshal(raw, &set); err != nil {
		return err
	}
	s.byKid = make(map[string]jwk, len(set.Keys))
	for _, k := range set.Keys {
		s.byKid[k.Kid] = k
	}
	return nil
}
