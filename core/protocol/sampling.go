package protocol

import (
	"encoding/json"

	"github.com/parleymcp/parley/internal/jsonx"
)

// CreateMessageParams are the params of sampling/createMessage, deprecated by
// the specification as of 2026-07-28 (SEP-2577).
type CreateMessageParams struct {
	Messages         []SamplingMessage `json:"messages"`
	MaxTokens        int               `json:"maxTokens"`
	SystemPrompt     string            `json:"systemPrompt,omitzero"`
	IncludeContext   string            `json:"includeContext,omitzero"` // "none", "thisServer", "allServers"
	Temperature      *float64          `json:"temperature,omitzero"`
	StopSequences    []string          `json:"stopSequences,omitempty"`
	ModelPreferences *ModelPreferences `json:"modelPreferences,omitzero"`
	Tools            []Tool            `json:"tools,omitempty"`
	ToolChoice       *ToolChoice       `json:"toolChoice,omitzero"`
	Metadata         json.RawMessage   `json:"metadata,omitempty"`
}

// ModelPreferences rank what matters in the choice of a model, each 0 to 1.
type ModelPreferences struct {
	Hints                []ModelHint `json:"hints,omitempty"`
	CostPriority         *float64    `json:"costPriority,omitzero"`
	SpeedPriority        *float64    `json:"speedPriority,omitzero"`
	IntelligencePriority *float64    `json:"intelligencePriority,omitzero"`
}

// ModelHint is part of a model's name.
type ModelHint struct {
	Name string `json:"name,omitzero"`
}

// ToolChoice says whether the model may or must use a tool.
type ToolChoice struct {
	Mode string `json:"mode,omitzero"` // "auto", "required", "none"
}

// SamplingMessage is one message of a sampling conversation. Its content is
// one block or several; one is sent as an object, as clients of all revisions
// expect.
type SamplingMessage struct {
	Role    string
	Content []Content
}

// CreateMessageResult is what the client's model answered.
type CreateMessageResult struct {
	Role       string
	Content    []Content
	Model      string
	StopReason string
}

type sampled struct {
	Role       string          `json:"role"`
	Content    json.RawMessage `json:"content"`
	Model      string          `json:"model,omitzero"`
	StopReason string          `json:"stopReason,omitzero"`
}

// MarshalJSON writes a single block as an object, several as a list.
func (m SamplingMessage) MarshalJSON() ([]byte, error) {
	return marshalSampled(sampled{Role: m.Role}, m.Content)
}

// UnmarshalJSON reads both forms of content.
func (m *SamplingMessage) UnmarshalJSON(raw []byte) error {
	s, content, err := unmarshalSampled(raw)
	m.Role, m.Content = s.Role, content
	return err
}

// MarshalJSON writes a single block as an object, several as a list.
func (r CreateMessageResult) MarshalJSON() ([]byte, error) {
	return marshalSampled(sampled{Role: r.Role, Model: r.Model, StopReason: r.StopReason}, r.Content)
}

// UnmarshalJSON reads both forms of content.
func (r *CreateMessageResult) UnmarshalJSON(raw []byte) error {
	s, content, err := unmarshalSampled(raw)
	r.Role, r.Content, r.Model, r.StopReason = s.Role, content, s.Model, s.StopReason
	return err
}

func marshalSampled(s sampled, content []Content) ([]byte, error) {
	var err error
	if len(content) == 1 {
		s.Content, err = jsonx.Marshal(content[0])
	} else {
		s.Content, err = jsonx.Marshal(content)
	}
	if err != nil {
		return nil, err
	}
	return jsonx.Marshal(s)
}

func unmarshalSampled(raw []byte) (sampled, []Content, error) {
	var s sampled
	if err := jsonx.Unmarshal(raw, &s); err != nil {
		return s, nil, err
	}
	if len(s.Content) > 0 && s.Content[0] == '[' {
		var list []Content
		err := jsonx.Unmarshal(s.Content, &list)
		return s, list, err
	}
	var one Content
	err := jsonx.Unmarshal(s.Content, &one)
	return s, []Content{one}, err
}

// RootList is the answer to roots/list, deprecated by the specification as of
// 2026-07-28 (SEP-2577).
type RootList struct {
	Roots []Root `json:"roots"`
}

// Root is a directory or file that the client lets the server know of.
type Root struct {
	URI  string `json:"uri"` // file:
	Name string `json:"name,omitzero"`
}
