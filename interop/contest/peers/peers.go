// Package peers makes the other two Go libraries for MCP contestants, for those
// who import it: linking them costs a program a second when it starts.
package peers

import (
	"context"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
	mcpgo "github.com/mark3labs/mcp-go/server"
	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/parleymcp/parley/interop/contest"
)

func init() {
	contest.Join(contest.GoSDK, newGoSDK)
	contest.Join(contest.MCPGo, newMCPGo)
}

// newGoSDK is the official SDK, set up for what it is best at: no sessions, and
// JSON answers.
func newGoSDK(count int) http.Handler {
	s := gosdk.NewServer(&gosdk.Implementation{Name: "bench", Version: "1.0.0"}, nil)
	goSDKText(s, "echo", func(in contest.EchoIn) string { return in.Text })
	goSDKText(s, "search", contest.Searched)
	goSDKText(s, "ascii", contest.TextSize)
	goSDKText(s, "accents", contest.TextSize)
	goSDKText(s, "tree", contest.TreeSize)
	gosdk.AddTool(s, &gosdk.Tool{Name: "weather", Description: "The weather in a city."},
		func(_ context.Context, _ *gosdk.CallToolRequest, in contest.CityIn) (*gosdk.CallToolResult, contest.Weather, error) {
			return nil, contest.WeatherIn(in), nil
		})
	for _, name := range contest.Fill(count - 6) {
		goSDKText(s, name, func(in contest.EchoIn) string { return in.Text })
	}
	return gosdk.NewStreamableHTTPHandler(func(*http.Request) *gosdk.Server { return s },
		&gosdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
}

func goSDKText[In any](s *gosdk.Server, name string, f func(In) string) {
	gosdk.AddTool(s, &gosdk.Tool{Name: name, Description: contest.FillText},
		func(_ context.Context, _ *gosdk.CallToolRequest, in In) (*gosdk.CallToolResult, any, error) {
			return &gosdk.CallToolResult{Content: []gosdk.Content{&gosdk.TextContent{Text: f(in)}}}, nil, nil
		})
}

// newMCPGo is mcp-go without sessions; unlike the others it checks no
// arguments unless it is told to, so it is told.
func newMCPGo(count int) http.Handler {
	s := mcpgo.NewMCPServer("bench", "1.0.0",
		mcpgo.WithToolCapabilities(true), mcpgo.WithRecovery(), mcpgo.WithInputSchemaValidation())
	mcpGoText(s, "echo", func(in contest.EchoIn) string { return in.Text })
	mcpGoText(s, "search", contest.Searched)
	mcpGoText(s, "ascii", contest.TextSize)
	mcpGoText(s, "accents", contest.TextSize)
	mcpGoText(s, "tree", contest.TreeSize)
	s.AddTool(mcp.NewTool("weather", mcp.WithDescription("The weather in a city."), mcp.WithInputSchema[contest.CityIn](), mcp.WithOutputSchema[contest.Weather]()),
		mcp.NewStructuredToolHandler(func(_ context.Context, _ mcp.CallToolRequest, in contest.CityIn) (contest.Weather, error) {
			return contest.WeatherIn(in), nil
		}))
	for _, name := range contest.Fill(count - 6) {
		mcpGoText(s, name, func(in contest.EchoIn) string { return in.Text })
	}
	return mcpgo.NewStreamableHTTPServer(s, mcpgo.WithStateLess(true))
}

func mcpGoText[In any](s *mcpgo.MCPServer, name string, f func(In) string) {
	s.AddTool(mcp.NewTool(name, mcp.WithDescription(contest.FillText), mcp.WithInputSchema[In]()),
		mcp.NewTypedToolHandler(func(_ context.Context, _ mcp.CallToolRequest, in In) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(f(in)), nil
		}))
}
