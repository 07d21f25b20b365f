package core

import (
	"encoding/json"
	"fmt"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/jsonx"
	"github.com/parleymcp/parley/internal/schema"
)

// Raw asks with a method and params given at run time: elicitation/create,
// sampling/createMessage or roots/list. The answer is the client's result as it
// came; its shape is checked for the method, its content against nothing. Wrong
// params are reported by whatever uses the ask.
func Raw(key, method string, params json.RawMessage) Ask[json.RawMessage] {
	q := question{key: key, method: method, params: params}
	q.mistake = q.inspect()
	return newAsk(q, func(content []byte) (json.RawMessage, *schema.Violation) {
		return json.RawMessage(content), nil
	}, func(v json.RawMessage) (json.RawMessage, error) {
		return v, nil
	})
}

// inspect checks raw params as far as the gate depends on them, and sets what
// capabilities they need.
func (q *question) inspect() error {
	var p struct {
		Mode           *string         `json:"mode"`
		Tools          json.RawMessage `json:"tools"`
		ToolChoice     json.RawMessage `json:"toolChoice"`
		IncludeContext string          `json:"includeContext"`
	}
	if len(q.params) == 0 {
		q.params = json.RawMessage("{}")
	}
	compact, err := jsonx.Compact(q.params)
	if err != nil || compact[0] != '{' {
		return fmt.Errorf("the params of the raw ask %q must be a JSON object", q.key)
	}
	q.params = compact
	if err := jsonx.Unmarshal(compact, &p); err != nil {
		return fmt.Errorf("the params of the raw ask %q: %w", q.key, err)
	}
	switch q.method {
	case protocol.MethodElicit:
		q.mode = modeForm
		if p.Mode != nil {
			q.mode = *p.Mode
		}
		switch q.mode {
		case modeForm:
			q.needs = needForm
		case modeURL:
			q.needs = needURL
		default:
			return fmt.Errorf("the raw ask %q: an elicitation's mode must be form or url", q.key)
		}
	case protocol.MethodCreateMessage:
		q.needs = needSampling(p.Tools != nil || p.ToolChoice != nil, p.IncludeContext)
	case protocol.MethodListRoots:
		q.needs = ClientCapabilities{Roots: &protocol.Empty{}}
	default:
		return fmt.Errorf("the raw ask %q: the method %q cannot be asked, only %s, %s and %s",
			q.key, q.method, protocol.MethodElicit, protocol.MethodCreateMessage, protocol.MethodListRoots)
	}
	return nil
}
