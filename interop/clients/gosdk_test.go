package clients_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// goClient is the client of the official Go SDK.
type goClient struct {
	user
	session *mcp.ClientSession
	http    *http.Client
}

//nolint:staticcheck // servers still ask for samples and roots
func connectGoSDK(t *testing.T, url, token, version string) session {
	t.Helper()
	g := &goClient{http: &http.Client{Transport: withToken{http.DefaultTransport.(*http.Transport).Clone(), token}}}
	c := mcp.NewClient(&mcp.Implementation{Name: "interop", Version: "1"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{
			RootsV2:     &mcp.RootCapabilities{},
			Elicitation: &mcp.ElicitationCapabilities{Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}},
		},
		ElicitationHandler:          g.elicit,
		CreateMessageHandler:        g.sample,
		ProgressNotificationHandler: g.progressed,
		ToolListChangedHandler:      func(context.Context, *mcp.ToolListChangedRequest) { g.changed("tools") },
		ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) {
			g.changed("updated " + req.Params.URI)
		},
	})
	c.AddRoots(&mcp.Root{URI: root, Name: "interop"})
	var options mcp.ClientSessionOptions
	if version != modern { // which it finds by itself
		options.ProtocolVersion = version
	}
	var err error
	g.session, err = c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: g.http}, &options)
	if err != nil {
		t.Fatal(err)
	}
	if got := g.session.InitializeResult().ProtocolVersion; got != version {
		t.Errorf("the protocol is %q, want %q", got, version)
	}
	return g
}

func (g *goClient) close() error {
	err := g.session.Close()
	g.http.CloseIdleConnections()
	return err
}

func (g *goClient) do(ctx context.Context, o op) (reply, error) {
	t := g.ask(o.User)
	result, err := g.result(ctx, o)
	return t.reply(o.Steps, result, err, codeOfGoSDK)
}

func codeOfGoSDK(err error) int {
	if wire, ok := errors.AsType[*jsonrpc.Error](err); ok {
		return int(wire.Code)
	}
	return 0
}

func (g *goClient) result(ctx context.Context, o op) (any, error) {
	switch o.Do {
	case doList:
		return g.list(ctx, o.Name)
	case doCall:
		params := &mcp.CallToolParams{Name: o.Name, Arguments: o.Arguments}
		params.SetProgressToken("p")
		return g.session.CallTool(ctx, params)
	case doGet:
		return g.session.GetPrompt(ctx, &mcp.GetPromptParams{Name: o.Name, Arguments: texts(o.Arguments)})
	case doRead:
		return g.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: o.Name})
	case doComplete:
		params := &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: o.Name}}
		for name, value := range texts(o.Arguments) {
			params.Argument = mcp.CompleteParamsArgument{Name: name, Value: value}
		}
		return g.session.Complete(ctx, params)
	case doWatch:
		return []string{}, g.session.Subscribe(ctx, &mcp.SubscribeParams{URI: o.Name})
	case doChanges:
		return g.changes(ctx, o.Name, o.Patience)
	}
	return nil, fmt.Errorf("cannot %q", o.Do)
}

func (g *goClient) list(ctx context.Context, kind string) ([]string, error) {
	names := []string{}
	var err error
	add := func(name string, e error) bool {
		if err = e; e == nil {
			names = append(names, name)
		}
		return e == nil
	}
	switch kind {
	case "tools":
		g.session.Tools(ctx, nil)(func(t *mcp.Tool, e error) bool { return add(member(t, "name"), e) })
	case "prompts":
		g.session.Prompts(ctx, nil)(func(p *mcp.Prompt, e error) bool { return add(member(p, "name"), e) })
	case "resources":
		g.session.Resources(ctx, nil)(func(r *mcp.Resource, e error) bool { return add(member(r, "uri"), e) })
	case "resourceTemplates":
		g.session.ResourceTemplates(ctx, nil)(func(r *mcp.ResourceTemplate, e error) bool { return add(member(r, "uriTemplate"), e) })
	}
	return names, err
}

func (g *goClient) elicit(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
	action, content, err := g.answer(req.Params.Mode, req.Params.Message, req.Params.URL, req.Params.RequestedSchema)
	return &mcp.ElicitResult{Action: action, Content: content}, err
}

//nolint:staticcheck // as above
func (g *goClient) sample(_ context.Context, req *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	text, ok := req.Params.Messages[0].Content.(*mcp.TextContent)
	if !ok {
		return nil, fmt.Errorf("asked with %T", req.Params.Messages[0].Content)
	}
	g.note("sampling", text.Text)
	return &mcp.CreateMessageResult{Role: "assistant", Model: "interop", Content: &mcp.TextContent{Text: sampledText}}, nil
}

func (g *goClient) progressed(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
	g.progress(req.Params.Progress, req.Params.Total, req.Params.Message)
}

// member is a member of something as JSON; "" of nil, which comes with an error.
func member(v any, name string) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	var m map[string]any
	if err := json.Unmarshal(raw, &m); err != nil || m == nil {
		return ""
	}
	return fmt.Sprint(m[name])
}

func texts(arguments map[string]any) map[string]string {
	out := map[string]string{}
	for name, value := range arguments {
		out[name] = fmt.Sprint(value)
	}
	return out
}
