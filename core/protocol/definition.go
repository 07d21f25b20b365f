package protocol

import "encoding/json"

// Implementation names a program: serverInfo, clientInfo.
type Implementation struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitzero"`
	Version     string `json:"version"`
	Description string `json:"description,omitzero"`
	WebsiteURL  string `json:"websiteUrl,omitzero"`
	Icons       []Icon `json:"icons,omitempty"`
}

// Icon is a picture that a client may show. Src is an https, http or data URI.
type Icon struct {
	Src      string   `json:"src"`
	MIMEType string   `json:"mimeType,omitzero"`
	Sizes    []string `json:"sizes,omitempty"` // "48x48", or "any"
	Theme    string   `json:"theme,omitzero"`  // "light" or "dark"
}

// Annotations say whom content is for and how much it matters.
type Annotations struct {
	Audience     []string `json:"audience,omitempty"`    // "user", "assistant"
	Priority     *float64 `json:"priority,omitzero"`     // 0 to 1
	LastModified string   `json:"lastModified,omitzero"` // RFC 3339
}

// Tool is an entry of tools/list.
type Tool struct {
	Name         string           `json:"name"`
	Title        string           `json:"title,omitzero"`
	Description  string           `json:"description,omitzero"`
	Icons        []Icon           `json:"icons,omitempty"`
	InputSchema  json.RawMessage  `json:"inputSchema"`
	OutputSchema json.RawMessage  `json:"outputSchema,omitempty"`
	Annotations  *ToolAnnotations `json:"annotations,omitzero"`
	Meta         map[string]any   `json:"_meta,omitempty"`
}

// ToolAnnotations are hints, never a protection: clients decide by them how
// much to ask their user. Absent means the specification's default.
type ToolAnnotations struct {
	Title           string `json:"title,omitzero"`
	ReadOnlyHint    *bool  `json:"readOnlyHint,omitzero"`    // default false
	DestructiveHint *bool  `json:"destructiveHint,omitzero"` // default true
	IdempotentHint  *bool  `json:"idempotentHint,omitzero"`  // default false
	OpenWorldHint   *bool  `json:"openWorldHint,omitzero"`   // default true
}

// Prompt is an entry of prompts/list.
type Prompt struct {
	Name        string           `json:"name"`
	Title       string           `json:"title,omitzero"`
	Description string           `json:"description,omitzero"`
	Icons       []Icon           `json:"icons,omitempty"`
	Arguments   []PromptArgument `json:"arguments,omitempty"`
	Meta        map[string]any   `json:"_meta,omitempty"`
}

// PromptArgument is one argument of a prompt; its value is a string.
type PromptArgument struct {
	Name        string `json:"name"`
	Title       string `json:"title,omitzero"`
	Description string `json:"description,omitzero"`
	Required    bool   `json:"required,omitzero"`
}

// Resource is an entry of resources/list.
type Resource struct {
	URI         string         `json:"uri"`
	Name        string         `json:"name"`
	Title       string         `json:"title,omitzero"`
	Description string         `json:"description,omitzero"`
	MIMEType    string         `json:"mimeType,omitzero"`
	Size        *int64         `json:"size,omitzero"` // bytes
	Icons       []Icon         `json:"icons,omitempty"`
	Annotations *Annotations   `json:"annotations,omitzero"`
	Meta        map[string]any `json:"_meta,omitempty"`
}

// ResourceTemplate is an entry of resources/templates/list.
type ResourceTemplate struct {
	URITemplate string         `json:"uriTemplate"` // RFC 6570
	Name        string         `json:"name"`
	Title       string         `json:"title,omitzero"`
	Description string         `json:"description,omitzero"`
	MIMEType    string         `json:"mimeType,omitzero"`
	Icons       []Icon         `json:"icons,omitempty"`
	Annotations *Annotations   `json:"annotations,omitzero"`
	Meta        map[string]any `json:"_meta,omitempty"`
}
