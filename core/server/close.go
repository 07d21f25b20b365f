package server

import (
	"context"
	"fmt"
	"time"
)

// parting is how long Close waits for the results of open streams to be taken.
// Clients that read get theirs at once.
const parting = time.Second

// Close ends the server: every open subscriptions/listen stream ends with its
// result, new requests are answered with 503, and calls that are running are
// waited for until ctx is done, whose cause is then in the error. Calls are not
// cancelled; a stream whose client does not read is waited for for one second
// and then left to its write timeout. Close may be called more than once and
// from any goroutine, but a handler that calls it waits for itself, so for as
// long as ctx lasts.
//
// Call it before the Shutdown of the HTTP server, which waits for open streams
// and does not end them.
func (s *Server) Close(ctx context.Context) error {
	calls, streams := s.door.shut(), s.audience.shut()
	s.hub.Close()
	s.sessionHub.Close()
	if s.sessions != nil {
		s.sessions.Close()
	}
	patience := time.NewTimer(parting)
	defer patience.Stop()
	select {
	case <-streams:
	case <-patience.C:
	case <-ctx.Done():
	}
	select {
	case <-calls: // first: ctx may be done as well
		return nil
	default:
	}
	select {
	case <-calls:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("parley: Close: %w", context.Cause(ctx))
	}
}
