package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parleymcp/parley/interop/probes/peer"
)

func text(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

type none struct{}

func progress(ctx context.Context, req *mcp.CallToolRequest, n, total int) {
	if token := req.Params.GetProgressToken(); token != nil {
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(n), Total: float64(total)})
	}
}

// register adds the tools that ask nothing.
func register(srv *mcp.Server) {
	var waits peer.Waits
	shared := text("the same for all")
	mcp.AddTool(srv, &mcp.Tool{Name: "probe_echo"}, func(_ context.Context, _ *mcp.CallToolRequest, in peer.Echoed) (*mcp.CallToolResult, peer.Echoed, error) {
		return nil, in, nil
	})
	mcp.AddTool(srv, &mcp.Tool{Name: "probe_admin"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		return text("the admin tool ran"), nil, nil
	})
	mcp.AddTool(srv, &mcp.Tool{Name: "probe_count"}, func(ctx context.Context, req *mcp.CallToolRequest, in peer.Count) (*mcp.CallToolResult, any, error) {
		for i := range in.N {
			progress(ctx, req, i+1, in.N)
		}
		return text("counted %d", in.N), nil, nil
	})
	mcp.AddTool(srv, &mcp.Tool{Name: "probe_wait"}, func(ctx context.Context, req *mcp.CallToolRequest, in peer.Wait) (*mcp.CallToolResult, any, error) {
		said, err := waits.Wait(ctx, in, func(n int) { progress(ctx, req, n, 0) })
		return text("%s", said), nil, err
	})
	mcp.AddTool(srv, &mcp.Tool{Name: "probe_ended"}, func(_ context.Context, _ *mcp.CallToolRequest, in peer.Wait) (*mcp.CallToolResult, any, error) {
		return text("%s", waits.Ended(in.ID)), nil, nil
	})
	mcp.AddTool(srv, &mcp.Tool{Name: "probe_panic"}, func(ctx context.Context, req *mcp.CallToolRequest, in peer.Panic) (*mcp.CallToolResult, any, error) {
		if in.Stream {
			progress(ctx, req, 1, 2)
		}
		panic(peer.Secret)
	})
	srv.AddTool(&mcp.Tool{Name: "probe_nothing", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, nil }) //nolint:nilnil // that is the mistake
	mcp.AddTool(srv, &mcp.Tool{Name: "probe_error"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("the printer is out of paper")
	})
	mcp.AddTool(srv, &mcp.Tool{Name: "probe_refuse"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		return nil, nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no such printer", Data: json.RawMessage(`{"printer":"7"}`)}
	})
	mcp.AddTool(srv, &mcp.Tool{Name: "probe_capability"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		return nil, nil, &jsonrpc.Error{
			Code: mcp.CodeMissingRequiredClientCapabilities, Message: "sampling is needed", Data: json.RawMessage(`{"requiredCapabilities":{"sampling":{}}}`),
		}
	})
	mcp.AddTool(srv, &mcp.Tool{Name: "probe_shared"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		return shared, nil, nil
	})
	mcp.AddTool(srv, &mcp.Tool{Name: "probe_empty"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{}, nil, nil
	})
	mcp.AddTool(srv, &mcp.Tool{Name: "probe_region", InputSchema: json.RawMessage(peer.RegionSchema)},
		func(_ context.Context, _ *mcp.CallToolRequest, in peer.Region) (*mcp.CallToolResult, any, error) {
			return text("region %s", in.Region), nil, nil
		})
}
