// Program mcpgoserver serves the tools of the probe suite with mcp-go, set up as
// its documentation recommends: the default handler, which serves both eras,
// with recovery, validation of arguments and results, and heartbeats.
package main

import (
	"context"
	"log"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/parleymcp/parley/interop/probes/peer"
)

func main() {
	if err := peer.Run(build); err != nil {
		log.Fatal(err)
	}
}

func build(o peer.Options) (http.Handler, func(context.Context) error, error) {
	srv := server.NewMCPServer("mcpgoserver", "1.0.0",
		server.WithToolCapabilities(true), server.WithPromptCapabilities(true), server.WithResourceCapabilities(true, true),
		server.WithElicitation(), server.WithRecovery(), server.WithResourceRecovery(), server.WithLogging(),
		server.WithInputSchemaValidation(), server.WithOutputSchemaValidation())
	register(srv)
	registerAsking(srv)
	handler := server.NewStreamableHTTPServer(srv,
		server.WithHeartbeatInterval(time.Second), server.WithStateful(o.Sessions))
	return handler, handler.Shutdown, nil
}
