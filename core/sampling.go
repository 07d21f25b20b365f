package core

import (
	"encoding/json"
	"errors"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/jsonx"
	"github.com/parleymcp/parley/internal/schema"
)

// Sampling asks the client's model to write a message.
//
// Deprecated: the specification deprecates sampling as of 2026-07-28
// (SEP-2577). Call a model's own interface instead.
func Sampling(key string, p CreateMessageParams) Ask[CreateMessageResult] {
	params, err := jsonx.Marshal(p)
	if err == nil && p.MaxTokens <= 0 {
		err = errors.New("maxTokens of a sampling ask must be at least 1")
	}
	return newAsk(question{
		key: key, method: protocol.MethodCreateMessage, params: params, mistake: err,
		needs: needSampling(len(p.Tools) > 0 || p.ToolChoice != nil, p.IncludeContext),
	}, decodeResult[CreateMessageResult], encodeResult[CreateMessageResult])
}

// Roots asks for the directories and files that the client lets the server
// know of.
//
// Deprecated: the specification deprecates roots as of 2026-07-28 (SEP-2577).
// Take paths as arguments instead.
func Roots(key string) Ask[RootList] {
	return newAsk(question{
		key: key, method: protocol.MethodListRoots, params: json.RawMessage("{}"),
		needs: ClientCapabilities{Roots: &protocol.Empty{}},
	}, decodeResult[RootList], encodeResult[RootList])
}

func needSampling(tools bool, includeContext string) ClientCapabilities {
	c := &protocol.SamplingCapability{}
	if tools {
		c.Tools = &protocol.Empty{}
	}
	if includeContext != "" && includeContext != "none" {
		c.Context = &protocol.Empty{}
	}
	return ClientCapabilities{Sampling: c}
}

func decodeResult[T any](content []byte) (T, *schema.Violation) {
	var v T
	if err := jsonx.Unmarshal(content, &v); err != nil {
		return v, &schema.Violation{Rule: "must be a result of the method that was asked"}
	}
	return v, nil
}

func encodeResult[T any](v T) (json.RawMessage, error) { return jsonx.Marshal(v) }
