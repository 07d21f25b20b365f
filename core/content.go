package core

import (
	"encoding/json"

	"github.com/parleymcp/parley/core/protocol"
)

// Names of the wire types that authors use.
type (
	// Content is one block of a tool result or prompt message.
	Content = protocol.Content
	// ResourceContents is the text or the bytes of a resource.
	ResourceContents = protocol.ResourceContents
	// PromptMessage is one message of a prompt.
	PromptMessage = protocol.PromptMessage
	// Annotations say whom content is for and how much it matters.
	Annotations = protocol.Annotations
	// Icon is a picture that a client may show.
	Icon = protocol.Icon
	// Implementation names a client or a server program.
	Implementation = protocol.Implementation
	// ClientCapabilities are what the client declared on this request.
	ClientCapabilities = protocol.ClientCapabilities
	// CreateMessageParams are the params of a sampling ask.
	CreateMessageParams = protocol.CreateMessageParams
	// CreateMessageResult is the answer to a sampling ask.
	CreateMessageResult = protocol.CreateMessageResult
	// SamplingMessage is one message of a sampling conversation.
	SamplingMessage = protocol.SamplingMessage
	// RootList is the answer to a roots ask.
	RootList = protocol.RootList
)

// Roles of messages.
const (
	RoleUser      = protocol.RoleUser
	RoleAssistant = protocol.RoleAssistant
)

// Text is a text block.
func Text(text string) Content { return Content{Type: protocol.TypeText, Text: text} }

// Image is a picture; data are its bytes as they are.
func Image(mimeType string, data []byte) Content {
	return Content{Type: protocol.TypeImage, MIMEType: mimeType, Data: data}
}

// Audio is a sound; data are its bytes as they are.
func Audio(mimeType string, data []byte) Content {
	return Content{Type: protocol.TypeAudio, MIMEType: mimeType, Data: data}
}

// Embedded is a resource within a result.
func Embedded(r ResourceContents) Content {
	return Content{Type: protocol.TypeResource, Resource: &r}
}

// Link points to a resource that the client may read. To clients before
// 2025-06-18 it becomes text.
func Link(uri, name string) Content {
	return Content{Type: protocol.TypeResourceLink, URI: uri, Name: name}
}

// ToolResult is a complete answer to tools/call, sent exactly as it is
// (MCP 2026-07-28, server/tools). The library never writes to it, so one value
// may be returned by many calls.
type ToolResult struct {
	Content           []Content
	StructuredContent json.RawMessage // nil: none. Must conform to the output schema
	IsError           bool            // the text is for the model to correct itself
	Meta              map[string]any
}

// PromptResult is a complete answer to prompts/get (MCP 2026-07-28,
// server/prompts).
type PromptResult struct {
	Description string
	Messages    []PromptMessage
	Meta        map[string]any
}

// ResourceResult is a complete answer to resources/read (MCP 2026-07-28,
// server/resources). Contents may not be
// empty: a resource that does not exist is [ResourceNotFound].
type ResourceResult struct {
	Contents []ResourceContents
	Meta     map[string]any
}
