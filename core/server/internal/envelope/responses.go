package envelope

import (
	"encoding/json"
	"errors"

	"github.com/parleymcp/parley/internal/jsonx"
)

// Limits of inputResponses (MCP 2026-07-28, multi round-trip requests, sets
// none).
const (
	MaxResponses     = 64
	MaxResponsesSize = 256 << 10 // bytes
	MaxResponsesKey  = 128       // bytes of the key, not of its spelling
	// MaxResponsesDepth counts the object of the entries itself.
	MaxResponsesDepth = 16
)

// InputResponses splits inputResponses into its entries, which alias raw. They
// are not looked at. Nil and null have none. Every error is an [*Error] with
// −32602.
func InputResponses(raw []byte) (map[string]json.RawMessage, error) {
	switch {
	case raw == nil || string(raw) == "null":
		return nil, nil
	case len(raw) > MaxResponsesSize:
		return nil, errResponsesSize
	case !isObject(raw):
		return nil, errResponses
	case deeper(raw, MaxResponsesDepth):
		return nil, errResponsesDeep
	}
	entries := make(map[string]json.RawMessage)
	w := walker{body: raw}
	err := jsonx.Walk(raw, func(d *jsonx.Decoder) error {
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		return w.members(d, func(key []byte) error {
			if len(key) > MaxResponsesKey {
				return errResponsesKey
			}
			if len(entries) == MaxResponses {
				return errResponsesMany
			}
			value, err := w.value(d)
			entries[string(key)] = value
			return err
		})
	})
	if err == nil {
		return entries, nil
	}
	if refusal, ok := errors.AsType[*Error](err); ok {
		return nil, refusal
	}
	return nil, errResponses
}
