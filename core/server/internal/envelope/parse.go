package envelope

import (
	"bytes"
	"errors"
	"io"
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
// Parse keeps nothing but aliases of body, which must not change.
func Parse(body []byte) (Message, error) {
	w := walker{body: body}
	if w.quick() {
		err := w.finish()
		return w.msg, err
	}
	return careful(body)
}

// careful is [Parse] by the decoder, which knows what is wrong.
func careful(body []byte) (Message, error) {
	if deeper(body, MaxDepth) {
		return Message{ID: recoverID(body)}, errDepth
	}
	w := walker{body: body}
	if err := jsonx.Walk(body, w.message); err != nil {
		return reject(body, err)
	}
	err := w.finish()
	return w.msg, err
}

// reject finds out what is wrong with a body that the decoder refused.
func reject(body []byte, cause error) (Message, error) {
	reason := explain(body, cause)
	if reason == errSyntax {
		// A lone surrogate is JSON by its grammar, so it is no parse error.
		// Where nothing else is wrong, the decoder stopped at the first one.
		w := walker{body: body}
		err := jsonx.WalkLoose(body, false, w.message)
		if err == nil {
			if at, ok := errors.AsType[*jsonx.SyntacticError](cause); ok {
				w.surrogate(int(at.ByteOffset))
			}
			err = w.finish()
			return w.msg, err
		}
		reason = explain(body, err)
	}
	return Message{ID: recoverID(body)}, reason
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
