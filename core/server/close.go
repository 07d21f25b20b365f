package server

import (
	"context"
	"fmt"
)

// Close ends the server: every open subscriptions/listen stream ends with its
// result, new requests are answered with 503, and calls that are running are
// waited for until ctx is done, whose cause is then in the error. Calls are not
// cancelled. Close may be called more than once and from any goroutine, but a
// handler that calls it waits for itself, so for as long as ctx lasts.
//
// Call it before the Shutdown of the HTTP server, which waits for open streams
// and does not end them.
func (s *Server) Close(ctx context.Context) error {
	idle := s.door.shut()
	s.hub.Close()
	select {
	case <-idle:
		return nil
	default:
	}
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("parley: Close: %w", context.Cause(ctx))
	}
}
