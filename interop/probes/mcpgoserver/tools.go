package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/parleymcp/parley/interop/probes/peer"
)

// progress reports, and tries again while the queue is full.
func progress(ctx context.Context, srv *server.MCPServer, req mcp.CallToolRequest, n int) {
	if req.Params.Meta == nil || req.Params.Meta.ProgressToken == nil {
		return
	}
	params := map[string]any{"progressToken": req.Params.Meta.ProgressToken, "progress": n}
	for ctx.Err() == nil {
		err := srv.SendNotificationToClient(ctx, string(mcp.MethodNotificationProgress), params)
		if !errors.Is(err, server.ErrNotificationChannelBlocked) {
			return
		}
		time.Sleep(time.Millisecond) //nolint:forbidigo // it does not say when there is room again
	}
}

type none struct{}

// add adds a tool whose arguments are a Go type.
func add[In any](srv *server.MCPServer, name string, handler func(context.Context, mcp.CallToolRequest, In) (*mcp.CallToolResult, error), opts ...mcp.ToolOption) {
	if len(opts) == 0 {
		opts = []mcp.ToolOption{mcp.WithInputSchema[In]()}
	}
	srv.AddTool(mcp.NewTool(name, opts...), mcp.NewTypedToolHandler(handler))
}

// register adds the tools that ask nothing.
func register(srv *server.MCPServer) {
	var waits peer.Waits
	shared := mcp.NewToolResultText("the same for all")
	srv.AddTool(mcp.NewTool("probe_echo", mcp.WithInputSchema[peer.Echoed](), mcp.WithOutputSchema[peer.Echoed]()),
		mcp.NewStructuredToolHandler(func(_ context.Context, _ mcp.CallToolRequest, in peer.Echoed) (peer.Echoed, error) { return in, nil }))
	add(srv, "probe_admin", func(context.Context, mcp.CallToolRequest, none) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText("the admin tool ran"), nil
	})
	add(srv, "probe_count", func(ctx context.Context, req mcp.CallToolRequest, in peer.Count) (*mcp.CallToolResult, error) {
		for i := range in.N {
			progress(ctx, srv, req, i+1)
		}
		return mcp.NewToolResultText(fmt.Sprintf("counted %d", in.N)), nil
	})
	add(srv, "probe_wait", func(ctx context.Context, req mcp.CallToolRequest, in peer.Wait) (*mcp.CallToolResult, error) {
		said, err := waits.Wait(ctx, in, func(n int) { progress(ctx, srv, req, n) })
		return mcp.NewToolResultText(said), err
	})
	add(srv, "probe_ended", func(_ context.Context, _ mcp.CallToolRequest, in peer.Wait) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultText(waits.Ended(in.ID)), nil
	})
	add(srv, "probe_panic", func(ctx context.Context, req mcp.CallToolRequest, in peer.Panic) (*mcp.CallToolResult, error) {
		if in.Stream {
			progress(ctx, srv, req, 1)
		}
		panic(peer.Secret)
	})
	add(srv, "probe_nothing", func(context.Context, mcp.CallToolRequest, none) (*mcp.CallToolResult, error) {
		return nil, nil //nolint:nilnil // that is the mistake
	})
	add(srv, "probe_error", func(context.Context, mcp.CallToolRequest, none) (*mcp.CallToolResult, error) {
		return mcp.NewToolResultError("the printer is out of paper"), nil
	})
	add(srv, "probe_refuse", func(context.Context, mcp.CallToolRequest, none) (*mcp.CallToolResult, error) {
		// The nearest that the library has: its own error for invalid params.
		return nil, fmt.Errorf("no such printer: %w", mcp.ErrInvalidParams)
	})
	add(srv, "probe_capability", func(context.Context, mcp.CallToolRequest, none) (*mcp.CallToolResult, error) {
		return nil, mcp.MissingRequiredClientCapabilityError{Capability: "sampling"}
	})
	add(srv, "probe_shared", func(context.Context, mcp.CallToolRequest, none) (*mcp.CallToolResult, error) {
		return shared, nil
	})
	add(srv, "probe_empty", func(context.Context, mcp.CallToolRequest, none) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{}, nil
	})
	srv.AddTool(mcp.NewToolWithRawSchema("probe_region", "", json.RawMessage(peer.RegionSchema)),
		mcp.NewTypedToolHandler(func(_ context.Context, _ mcp.CallToolRequest, in peer.Region) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("region " + in.Region), nil
		}))
}
