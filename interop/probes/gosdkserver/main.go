// Program gosdkserver serves the tools of the probe suite with the official Go
// SDK, set up as its documentation recommends: stateless, which is what it needs
// to serve 2026-07-28; a handler ends with its request
// (PropagateRequestCancellation); pages of other origins are kept out by
// http.CrossOriginProtection around the handler. At the end every session is
// closed.
package main

import (
	"context"
	"errors"
	"log"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parleymcp/parley/interop/probes/peer"
)

func main() {
	if err := peer.Run(build); err != nil {
		log.Fatal(err)
	}
}

func build(o peer.Options) (http.Handler, func(context.Context) error, error) {
	srv := mcp.NewServer(&mcp.Implementation{Name: "gosdkserver", Version: "1.0.0"}, nil)
	register(srv)
	registerAsking(srv)
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return srv }, &mcp.StreamableHTTPOptions{
		Stateless:                    !o.Sessions,
		PropagateRequestCancellation: true,
	})
	closing := func(context.Context) error {
		var errs []error
		for session := range srv.Sessions() {
			errs = append(errs, session.Close())
		}
		return errors.Join(errs...)
	}
	return http.NewCrossOriginProtection().Handler(handler), closing, nil
}
