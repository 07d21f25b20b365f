package protocol

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/parleymcp/parley/internal/jsonx"
)

// Values of [Content.Type].
const (
	TypeText         = "text"
	TypeImage        = "image"
	TypeAudio        = "audio"
	TypeResource     = "resource"      // embedded
	TypeResourceLink = "resource_link" // not in 2025-03-26
	TypeToolUse      = "tool_use"      // sampling only
	TypeToolResult   = "tool_result"   // sampling only
)

// Content is one block of a tool result, a prompt message or a sampling
// message. Type says which of the members count (MCP 2026-07-28, server/tools);
// the others are not sent. core has a constructor for each kind.
type Content struct {
	Type string `json:"type"`

	Text     string            `json:"text,omitzero"`     // text
	Data     []byte            `json:"data,omitempty"`    // image, audio: base64 on the wire
	MIMEType string            `json:"mimeType,omitzero"` // image, audio, resource_link
	Resource *ResourceContents `json:"resource,omitzero"` // resource

	URI         string `json:"uri,omitzero"`         // resource_link
	Name        string `json:"name,omitzero"`        // resource_link, tool_use
	Title       string `json:"title,omitzero"`       // resource_link
	Description string `json:"description,omitzero"` // resource_link
	Size        *int64 `json:"size,omitzero"`        // resource_link, bytes
	Icons       []Icon `json:"icons,omitempty"`      // resource_link

	ID                string          `json:"id,omitzero"`                 // tool_use
	Input             json.RawMessage `json:"input,omitempty"`             // tool_use
	ToolUseID         string          `json:"toolUseId,omitzero"`          // tool_result
	Content           []Content       `json:"content,omitempty"`           // tool_result
	StructuredContent json.RawMessage `json:"structuredContent,omitempty"` // tool_result
	IsError           bool            `json:"isError,omitzero"`            // tool_result

	Annotations *Annotations   `json:"annotations,omitzero"`
	Meta        map[string]any `json:"_meta,omitempty"`
}

// MarshalJSON writes the members that belong to the type, the required ones
// also when they are empty. A type it does not know, or a required member that
// cannot be empty and is, is an error.
func (c Content) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// AppendJSON is [Content.MarshalJSON] into a buffer.
func (c *Content) AppendJSON(dst []byte) ([]byte, error) {
	switch c.Type {
	case TypeText:
		dst = append(dst, `{"type":"text","text":`...)
		dst = jsonx.AppendString(dst, c.Text)
		return c.appendTail(dst)
	case TypeImage, TypeAudio:
		if c.MIMEType == "" {
			return dst, fmt.Errorf("parley: %s content without a MIME type", c.Type)
		}
		dst = append(append(append(dst, `{"type":"`...), c.Type...), `","data":"`...)
		dst = jsonx.AppendBase64(dst, c.Data)
		dst = append(dst, `","mimeType":`...)
		dst = jsonx.AppendString(dst, c.MIMEType)
		return c.appendTail(dst)
	case TypeResource:
		if c.Resource == nil {
			return dst, errors.New("parley: resource content without a resource")
		}
		dst = append(dst, `{"type":"resource","resource":`...)
		dst, err := c.Resource.AppendJSON(dst)
		if err != nil {
			return dst, err
		}
		return c.appendTail(dst)
	case TypeResourceLink, TypeToolUse, TypeToolResult:
		return c.appendRest(dst)
	}
	return dst, fmt.Errorf("parley: content of unknown type %q", c.Type)
}

func (c *Content) appendTail(dst []byte) ([]byte, error) {
	if c.Annotations != nil {
		raw, err := jsonx.Marshal(c.Annotations)
		if err != nil {
			return dst, err
		}
		dst = append(append(dst, `,"annotations":`...), raw...)
	}
	return appendMeta(dst, c.Meta)
}

// appendMeta appends _meta, if there is any, and closes the object.
func appendMeta(dst []byte, meta map[string]any) ([]byte, error) {
	if len(meta) > 0 {
		raw, err := jsonx.Marshal(meta)
		if err != nil {
			return dst, err
		}
		dst = append(append(dst, `,"_meta":`...), raw...)
	}
	return append(dst, '}'), nil
}

func (c *Content) appendRest(dst []byte) ([]byte, error) {
	type plain Content // without the method
	out := plain{Type: c.Type, Meta: c.Meta}
	switch c.Type {
	case TypeResourceLink:
		if c.URI == "" || c.Name == "" {
			return dst, errors.New("parley: resource link without URI or name")
		}
		out.URI, out.Name, out.Title, out.Description = c.URI, c.Name, c.Title, c.Description
		out.MIMEType, out.Size, out.Icons, out.Annotations = c.MIMEType, c.Size, c.Icons, c.Annotations
	case TypeToolUse:
		out.ID, out.Name, out.Input = c.ID, c.Name, c.Input
		if out.Input == nil {
			out.Input = json.RawMessage("{}")
		}
	case TypeToolResult:
		out.ToolUseID, out.StructuredContent, out.IsError = c.ToolUseID, c.StructuredContent, c.IsError
		out.Content = c.Content
	}
	raw, err := jsonx.Marshal(out)
	if err != nil {
		return dst, err
	}
	if c.Type == TypeToolResult && len(c.Content) == 0 {
		raw = append(raw[:len(raw)-1], `,"content":[]}`...) // required
	}
	return append(dst, raw...), nil
}

// ResourceContents is the text or the bytes of one resource. A non-nil Blob
// makes it binary; otherwise Text counts, also when it is empty.
type ResourceContents struct {
	URI      string         `json:"uri"`
	MIMEType string         `json:"mimeType,omitzero"`
	Text     string         `json:"text,omitzero"`
	Blob     []byte         `json:"blob,omitempty"` // base64 on the wire
	Meta     map[string]any `json:"_meta,omitempty"`
}

// MarshalJSON writes text or blob, never both and never neither.
func (r ResourceContents) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

// AppendJSON is [ResourceContents.MarshalJSON] into a buffer. A missing URI is
// an error.
func (r *ResourceContents) AppendJSON(dst []byte) ([]byte, error) {
	if r.URI == "" {
		return dst, errors.New("parley: resource contents without a URI")
	}
	dst = append(dst, `{"uri":`...)
	dst = jsonx.AppendString(dst, r.URI)
	if r.MIMEType != "" {
		dst = append(dst, `,"mimeType":`...)
		dst = jsonx.AppendString(dst, r.MIMEType)
	}
	if r.Blob != nil {
		dst = append(dst, `,"blob":"`...)
		dst = append(jsonx.AppendBase64(dst, r.Blob), '"')
	} else {
		dst = append(dst, `,"text":`...)
		dst = jsonx.AppendString(dst, r.Text)
	}
	return appendMeta(dst, r.Meta)
}
