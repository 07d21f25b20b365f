package clients_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"testing"

	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// mcpGoClient is the client of mcp-go.
type mcpGoClient struct {
	user
	client *mcpclient.Client
	http   *http.Client
	stop   func() // ends the subscription
}

func connectMCPGo(t *testing.T, url, token, version string) session {
	t.Helper()
	m := &mcpGoClient{http: &http.Client{Transport: withToken{http.DefaultTransport.(*http.Transport).Clone(), token}}, stop: func() {}}
	options := []transport.StreamableHTTPCOption{transport.WithHTTPBasicClient(m.http), transport.WithHTTPLogger(slog.New(slog.DiscardHandler))}
	if version != modern {
		options = append(options, transport.WithContinuousListening()) //nolint:staticcheck // it is the way of the older revisions
	}
	tr, err := transport.NewStreamableHTTP(url, options...)
	if err != nil {
		t.Fatal(err)
	}
	pin := version
	if version == modern { // it finds that by itself
		pin = ""
	}
	m.client = mcpclient.NewClient(tr,
		mcpclient.WithProtocolVersion(pin),
		mcpclient.WithClientCapabilities(mcp.ClientCapabilities{
			Elicitation: &mcp.ElicitationCapability{Form: &struct{}{}, URL: &struct{}{}},
		}),
		mcpclient.WithElicitationHandler(m), mcpclient.WithSamplingHandler(m), mcpclient.WithRootsHandler(m))
	m.client.OnNotification(m.notified)
	if err := m.client.Start(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	request := mcp.InitializeRequest{}
	request.Params.ClientInfo = mcp.Implementation{Name: "interop", Version: "1"}
	request.Params.ProtocolVersion = pin
	if _, err := m.client.Initialize(t.Context(), request); err != nil {
		t.Fatal(err)
	}
	if got := m.client.ProtocolVersion(); got != version {
		t.Errorf("the protocol is %q, want %q", got, version)
	}
	return m
}

func (m *mcpGoClient) close() error {
	m.stop()
	err := m.client.Close()
	m.http.CloseIdleConnections()
	return err
}

func (m *mcpGoClient) do(ctx context.Context, o op) (reply, error) {
	t := m.ask(o.User)
	result, err := m.result(ctx, o)
	return t.reply(o.Steps, result, err, codeOfMCPGo)
}

// codeOfMCPGo reads the code from the kind of error: the client does not keep it.
func codeOfMCPGo(err error) int {
	for code, sentinel := range map[int]error{
		mcp.INVALID_PARAMS: mcp.ErrInvalidParams, mcp.RESOURCE_NOT_FOUND: mcp.ErrResourceNotFound,
		mcp.INTERNAL_ERROR: mcp.ErrInternalError, mcp.METHOD_NOT_FOUND: mcp.ErrMethodNotFound,
	} {
		if errors.Is(err, sentinel) {
			return code
		}
	}
	return 0
}

func (m *mcpGoClient) result(ctx context.Context, o op) (any, error) {
	switch o.Do {
	case doList:
		return m.list(ctx, o.Name)
	case doCall:
		request := mcp.CallToolRequest{}
		request.Params.Name, request.Params.Arguments = o.Name, o.Arguments
		request.Params.Meta = &mcp.Meta{ProgressToken: "p"}
		return m.client.CallTool(ctx, request)
	case doGet:
		request := mcp.GetPromptRequest{}
		request.Params.Name, request.Params.Arguments = o.Name, texts(o.Arguments)
		return m.client.GetPrompt(ctx, request)
	case doRead:
		request := mcp.ReadResourceRequest{}
		request.Params.URI = o.Name
		return m.client.ReadResource(ctx, request)
	case doComplete:
		request := mcp.CompleteRequest{}
		request.Params.Ref = mcp.PromptReference{Type: "ref/prompt", Name: o.Name}
		for name, value := range texts(o.Arguments) {
			request.Params.Argument = mcp.CompleteArgument{Name: name, Value: value}
		}
		return m.client.Complete(ctx, request)
	case doWatch:
		return []string{}, m.watch(ctx, o.Name)
	case doChanges:
		return m.changes(ctx, o.Name, o.Patience)
	}
	return nil, fmt.Errorf("cannot %q", o.Do)
}

// watch returns when the server has acknowledged the subscription: before that a
// change may be missed.
func (m *mcpGoClient) watch(ctx context.Context, uri string) error {
	if m.client.ProtocolVersion() != modern {
		request := mcp.SubscribeRequest{}
		request.Params.URI = uri
		return m.client.Subscribe(ctx, request) //nolint:staticcheck // it is the way of the older revisions
	}
	m.forget()
	stop, err := m.client.ListenAsync(context.WithoutCancel(ctx), mcp.SubscriptionFilter{ToolsListChanged: true, ResourceSubscriptions: []string{uri}}, nil)
	if err != nil {
		return err
	}
	m.stop = stop // the client itself ends the one before
	_, err = m.changes(ctx, acknowledged, timeout.Milliseconds())
	return err
}

const acknowledged = "notifications/subscriptions/acknowledged"

func (m *mcpGoClient) notified(n mcp.JSONRPCNotification) {
	fields := n.Params.AdditionalFields
	switch n.Method {
	case "notifications/progress":
		progress, _ := fields["progress"].(float64)
		total, _ := fields["total"].(float64)
		message, _ := fields["message"].(string)
		m.progress(progress, total, message)
	case "notifications/resources/updated":
		m.changed(fmt.Sprintf("updated %v", fields["uri"]))
	case "notifications/tools/list_changed":
		m.changed("tools")
	default:
		m.changed(n.Method)
	}
}

func (m *mcpGoClient) list(ctx context.Context, kind string) ([]string, error) {
	names := []string{}
	var err error
	switch kind {
	case "tools":
		var r *mcp.ListToolsResult
		if r, err = m.client.ListTools(ctx, mcp.ListToolsRequest{}); err == nil {
			for _, item := range r.Tools {
				names = append(names, item.Name)
			}
		}
	case "prompts":
		var r *mcp.ListPromptsResult
		if r, err = m.client.ListPrompts(ctx, mcp.ListPromptsRequest{}); err == nil {
			for _, item := range r.Prompts {
				names = append(names, item.Name)
			}
		}
	case "resources":
		var r *mcp.ListResourcesResult
		if r, err = m.client.ListResources(ctx, mcp.ListResourcesRequest{}); err == nil {
			for _, item := range r.Resources {
				names = append(names, item.URI)
			}
		}
	case "resourceTemplates":
		var r *mcp.ListResourceTemplatesResult
		if r, err = m.client.ListResourceTemplates(ctx, mcp.ListResourceTemplatesRequest{}); err == nil {
			for _, item := range r.ResourceTemplates {
				names = append(names, member(item, "uriTemplate"))
			}
		}
	}
	return names, err
}

// Elicit, CreateMessage and ListRoots are how the client asks.
func (m *mcpGoClient) Elicit(_ context.Context, req mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	action, content, err := m.answer(req.Params.Mode, req.Params.Message, req.Params.URL, req.Params.RequestedSchema)
	response := mcp.ElicitationResponse{Action: mcp.ElicitationResponseAction(action)}
	if content != nil {
		response.Content = content
	}
	return &mcp.ElicitationResult{ElicitationResponse: response}, err
}

func (m *mcpGoClient) CreateMessage(_ context.Context, req mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	m.note("sampling", member(req.Messages[0].Content, "text")) // a TextContent, or in an input request the map it was decoded from
	return &mcp.CreateMessageResult{
		SamplingMessage: mcp.SamplingMessage{Role: mcp.RoleAssistant, Content: mcp.NewTextContent(sampledText)}, Model: "interop",
	}, nil
}

func (m *mcpGoClient) ListRoots(context.Context, mcp.ListRootsRequest) (*mcp.ListRootsResult, error) {
	return &mcp.ListRootsResult{Roots: []mcp.Root{{URI: root, Name: "interop"}}}, nil
}
