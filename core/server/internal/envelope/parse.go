package envelope

import (
	"bytes"
	"errors"
	"io"
	"math"
	"unicode/utf8"

	"github.com/parleymcp/parley/internal/jsonx"
)

// Parse reads the one JSON-RPC message that body is (MCP 2026-07-28, basic).
// Every error is an [*Error]. The message carries the id on an error too, when
// it could be read, and with −32602 everything else that could be.
//
// A notification is never refused for its params: what cannot be read of them
// counts as absent, since nobody would be told.
//
// Parse reads into an empty message. It keeps nothing but aliases of body, which must not change. Nobody sends
// 4 GiB; that is refused as what it cannot be.
func (m *Message) Parse(body []byte) error {
	if len(body) > math.MaxUint32 {
		return errSyntax
	}
	w := walk(body, m)
	if w.quick() {
		return w.finish()
	}
	return m.careful(body)
}

// careful is [Message.Parse] by the decoder, which knows what is wrong.
func (m *Message) careful(body []byte) error {
	if deeper(body, MaxDepth) {
		*m = Message{ID: recoverID(body)}
		return errDepth
	}
	*m = Message{} // of what the quick way has found
	w := walk(body, m)
	if err := jsonx.Walk(body, w.message); err != nil {
		return m.reject(body, err)
	}
	return w.finish()
}

// reject finds out what is wrong with a body that the decoder refused.
func (m *Message) reject(body []byte, cause error) error {
	reason := explain(body, cause)
	if reason == errSyntax {
		// A lone surrogate is JSON by its grammar, so it is no parse error.
		// Where nothing else is wrong, the decoder stopped at the first one.
		*m = Message{}
		w := walk(body, m)
		err := jsonx.WalkLoose(body, false, w.message)
		if err == nil {
			if at, ok := errors.AsType[*jsonx.SyntacticError](cause); ok {
				w.surrogate(int(at.ByteOffset))
			}
			return w.finish()
		}
		reason = explain(body, err)
	}
	*m = Message{ID: recoverID(body)}
	return reason
}

func explain(body []byte, cause error) *Error {
	switch {
	case errors.Is(cause, io.EOF):
		return errEmpty
	case errors.Is(cause, errTrailing):
		return errTrailing
	case bytes.HasPrefix(body, []byte("\xef\xbb\xbf")):
		return errBOM
	case !utf8.Valid(body):
		return errUTF8
	case errors.Is(cause, jsonx.ErrDuplicateName):
		return errDuplicate
	}
	return errSyntax
}
