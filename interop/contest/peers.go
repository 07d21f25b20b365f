package contest

import (
	"context"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
	mcpgo "github.com/mark3labs/mcp-go/server"
	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// NewGoSDK is the official SDK, set up for what it is best at: no sessions, and
// JSON answers.
func NewGoSDK(count int) http.Handler {
	s := gosdk.NewServer(&gosdk.Implementation{Name: "bench", Version: "1.0.0"}, nil)
	goSDKText(s, "echo", func(in EchoIn) string { return in.Text })
	goSDKText(s, "search", searched)
	goSDKText(s, "ascii", textSize)
	goSDKText(s, "accents", textSize)
	goSDKText(s, "tree", treeSize)
	gosdk.AddTool(s, &gosdk.Tool{Name: "weather", Description: "The weather in a city."},
		func(_ context.Context, _ *gosdk.CallToolRequest, in CityIn) (*gosdk.CallToolResult, Weather, error) {
			return nil, weather(in), nil
		})
	for _, name := range fill(count - 6) {
		goSDKText(s, name, func(in EchoIn) string { return in.Text })
	}
	return gosdk.NewStreamableHTTPHandler(func(*http.Request) *gosdk.Server { return s },
		&gosdk.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
}

func goSDKText[In any](s *gosdk.Server, name string, f func(In) string) {
	gosdk.AddTool(s, &gosdk.Tool{Name: name, Description: fillText},
		func(_ context.Context, _ *gosdk.CallToolRequest, in In) (*gosdk.CallToolResult, any, error) {
			return &gosdk.CallToolResult{Content: []gosdk.Content{&gosdk.TextContent{Text: f(in)}}}, nil, nil
		})
}

// NewMCPGo is mcp-go without sessions; unlike the others it checks no
// arguments unless it is told to, so it is told.
func NewMCPGo(count int) http.Handler {
	s := mcpgo.NewMCPServer("bench", "1.0.0",
		mcpgo.WithToolCapabilities(true), mcpgo.WithRecovery(), mcpgo.WithInputSchemaValidation())
	mcpGoText(s, "echo", func(in EchoIn) string { return in.Text })
	mcpGoText(s, "search", searched)
	mcpGoText(s, "ascii", textSize)
	mcpGoText(s, "accents", textSize)
	mcpGoText(s, "tree", treeSize)
	s.AddTool(mcp.NewTool("weather", mcp.WithDescription("The weather in a city."), mcp.WithInputSchema[CityIn](), mcp.WithOutputSchema[Weather]()),
		mcp.NewStructuredToolHandler(func(_ context.Context, _ mcp.CallToolRequest, in CityIn) (Weather, error) { return weather(in), nil }))
	for _, name := range fill(count - 6) {
		mcpGoText(s, name, func(in EchoIn) string { return in.Text })
	}
	return mcpgo.NewStreamableHTTPServer(s, mcpgo.WithStateLess(true))
}

func mcpGoText[In any](s *mcpgo.MCPServer, name string, f func(In) string) {
	s.AddTool(mcp.NewTool(name, mcp.WithDescription(fillText), mcp.WithInputSchema[In]()),
		mcp.NewTypedToolHandler(func(_ context.Context, _ mcp.CallToolRequest, in In) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(f(in)), nil
		}))
}
