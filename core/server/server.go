package server

import (
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/replay"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server/internal/hub"
	"github.com/parleymcp/parley/core/server/internal/origin"
	"github.com/parleymcp/parley/core/server/internal/session"
)

// Server serves features to MCP clients. It is made once, shared by every
// adapter and every mount, and all of its methods are safe for concurrent use.
// A server that has nothing to do has no goroutine.
type Server struct {
	cfg        Config
	origin     *origin.Policy
	encoder    *encoder
	older      *encoder // for revisions before 2026-07-28
	notices    *noticer
	hub        *hub.Hub
	keepAlive  keepAlive // of calls
	metadata   metadata
	challenges challenges
	door       door     // of requests
	audience   door     // of open streams
	versions   []string // served, newest first

	sessions   *session.Table // nil: none
	sessionHub *hub.Hub

	host   atomic.Pointer[core.Host]
	hostMu sync.Mutex // writers of host

	registry   atomic.Pointer[snapshot]
	registryMu sync.Mutex // writers of registry
}

// New makes a server of what c says and of the features, in whose order lists
// have them. Its error joins everything that is wrong, of c and of the
// features, each with the field or feature, its value and what is allowed.
func New(c Config, features ...core.Feature) (*Server, error) {
	errs := []error{c.check()}
	policy, err := origin.New(c.AllowedOrigins, c.AllowedHosts)
	errs = append(errs, err)
	var ring *seal.Ring
	if len(c.Keys) > 0 {
		ring, err = seal.NewRing(c.Keys...)
		if err != nil {
			errs = append(errs, fmt.Errorf("parley: Config.Keys: %w", err))
		}
	}
	c = c.withDefaults()
	enc, err := newEncoder(&c, false)
	errs = append(errs, err)
	older, err := newEncoder(&c, true)
	errs = append(errs, err)
	s := &Server{
		cfg: c, origin: policy, encoder: enc, older: older,
		notices:   newNoticer(c.Logger, c.Metrics),
		hub:       hub.New(c.KeepAlive, c.MaxListens),
		keepAlive: keepAlive{interval: c.KeepAlive},
		metadata:  newMetadata(c.Resource),
		versions:  append([]string{protocol.Version20260728}, c.Legacy.served()...),

		sessionHub: hub.New(c.KeepAlive, c.Legacy.MaxSessions),
	}
	s.challenges = newChallenges(c.Resource, s.metadata)
	s.sessions = newSessions(&c.Legacy, s.sessionHub)
	s.registry.Store(newSnapshot())
	errs = append(errs, s.Add(features...))
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if ring != nil {
		s.adopt(ring)
	}
	s.host.Store(s.newHost(ring))
	return s, nil
}

// Must returns s, and panics if err is not nil. It is for servers that are
// package variables: Must(New(…)).
func Must(s *Server, err error) *Server {
	if err != nil {
		panic(err)
	}
	return s
}

func (s *Server) newHost(ring *seal.Ring) *core.Host {
	h := &core.Host{
		Keys: ring, Audience: s.cfg.Audience, Replay: s.cfg.Replay, EveryRound: s.cfg.ClaimEveryRound,
		Logger:   slog.New(&limited{Handler: s.notices.log.Handler(), notices: s.notices}),
		RoundTTL: s.cfg.RoundTTL, FlowTTL: s.cfg.FlowTTL, MaxRounds: s.cfg.MaxRounds,
		RedactErrors: s.cfg.RedactErrors, Now: time.Now, Texts: true,
	}
	if h.Replay == nil {
		h.Replay = replay.NewMemory(defaultReplaySize)
	}
	if s.cfg.Metrics != nil {
		h.Count = s.cfg.Metrics.Event
	}
	return h
}

// Host is what the handlers of this server share, for [core.Page.Open]. It is
// read-only, and another one after [Server.SetKeys]: ask for it each time.
func (s *Server) Host() *core.Host { return s.host.Load() }

// adopt prepares a new ring for use.
func (s *Server) adopt(ring *seal.Ring) {
	if s.cfg.Metrics != nil {
		ring.OnOldKey = func(string) { s.cfg.Metrics.Event("state_old_key") }
	}
	if ring.Ephemeral() {
		s.notices.log.Warn("state is sealed with a key of this process: it opens on no other instance, and not after a restart")
	}
}

// SetKeys replaces the keys that seal state, as [Config].Keys sets them, at
// once for every request that comes after. On an error, which is as from
// [seal.NewRing], nothing has changed.
func (s *Server) SetKeys(keys ...seal.Key) error {
	s.hostMu.Lock()
	defer s.hostMu.Unlock()
	host := s.host.Load()
	if host.Keys != nil {
		return host.Keys.Replace(keys...)
	}
	ring, err := seal.NewRing(keys...)
	if err != nil {
		return err
	}
	s.adopt(ring)
	next := *host
	next.Keys = ring
	s.host.Store(&next)
	return nil
}

// ResourceUpdated tells every client that subscribed to this URI, with
// subscriptions/listen or in a session, that the resource has changed. It never
// waits for a client.
func (s *Server) ResourceUpdated(uri string) {
	s.hub.Updated(uri)
	s.sessionHub.Updated(uri)
}
