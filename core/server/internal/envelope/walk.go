package envelope

import (
	"errors"
	"io"

	"github.com/parleymcp/parley/internal/jsonx"
)

// walker collects the ranges of one message.
type walker struct {
	body []byte
	msg  *Message

	jsonrpc, method, id []byte // as they stand; nil when there is none
	params              [2]int // params are between these offsets
	problem             *Error // what the walk found, if finish finds nothing worse
}

// walk begins a walk that fills msg in, which is empty.
func walk(body []byte, msg *Message) walker {
	msg.Params.body, msg.Params.Meta.body = body, body
	return walker{body: body, msg: msg}
}

// message reads the whole body.
func (w *walker) message(d *jsonx.Decoder) error {
	var err error
	switch d.PeekKind() {
	case '{':
		err = w.object(d)
	case '[':
		err = w.batch(d)
	default:
		w.problem = errNotObject
		_, err = d.ReadValue()
	}
	if err != nil {
		return err
	}
	if _, err := d.ReadToken(); !errors.Is(err, io.EOF) {
		return errTrailing
	}
	return nil
}

func (w *walker) object(d *jsonx.Decoder) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	return w.members(d, func(name []byte) error {
		var dst *[]byte
		switch string(name) {
		case "params":
			return w.readParams(d)
		case "jsonrpc":
			dst = &w.jsonrpc
		case "id":
			dst = &w.id
		case "method":
			dst = &w.method
		case "result":
			dst = &w.msg.Result
		case "error":
			dst = &w.msg.Error
		}
		value, err := w.value(d)
		if dst != nil {
			*dst = value
		}
		return err
	})
}

func (w *walker) batch(d *jsonx.Decoder) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	w.msg.Kind = Batch
	w.problem = errBatchEmpty
	for d.PeekKind() != ']' {
		element, err := w.value(d)
		if err != nil {
			return err
		}
		w.problem = nil
		if len(w.msg.Batch) <= MaxBatch { // one more than allowed, to know
			w.msg.Batch = append(w.msg.Batch, element)
		}
	}
	if len(w.msg.Batch) > MaxBatch {
		w.msg.Batch, w.problem = nil, errBatchLong
	}
	_, err := d.ReadToken()
	return err
}

func (w *walker) readParams(d *jsonx.Decoder) error {
	p := &w.msg.Params
	w.params[0] = int(d.InputOffset())
	object, err := w.open(d, &p.Present)
	start := int(d.InputOffset()) - 1
	if object {
		err = w.members(d, func(name []byte) error {
			if string(name) == "_meta" {
				return w.readMeta(d)
			}
			return w.collect(d, p.member(name))
		})
		end := int(d.InputOffset())
		p.ranges[ParamRaw] = spanOf(end-start, end)
	} else if p.Present {
		w.problem = errParams
	}
	w.params[1] = int(d.InputOffset())
	return err
}

func (w *walker) readMeta(d *jsonx.Decoder) error {
	m := &w.msg.Params.Meta
	object, err := w.open(d, &m.Present)
	if object {
		return w.members(d, func(name []byte) error { return w.collect(d, m.member(name)) })
	}
	if m.Present {
		w.problem = errMeta
	}
	return err
}

// open reads the brace of an object; any other value is read whole. present is
// set unless it is null.
func (w *walker) open(d *jsonx.Decoder, present *bool) (object bool, err error) {
	switch d.PeekKind() {
	case '{':
		*present = true
		_, err = d.ReadToken()
		return err == nil, err
	case 'n':
	default:
		*present = true
	}
	_, err = d.ReadValue()
	return false, err
}

// members reads what is left of an object; f reads the value of each name.
func (w *walker) members(d *jsonx.Decoder, f func(name []byte) error) error {
	for d.PeekKind() != '}' {
		name, err := w.name(d)
		if err != nil {
			return err
		}
		if err := f(name); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

// collect reads a value into dst. Null counts as absent.
func (w *walker) collect(d *jsonx.Decoder, dst *span) error {
	value, err := w.value(d)
	if err != nil || dst == nil || string(value) == "null" {
		return err
	}
	*dst = spanOf(len(value), int(d.InputOffset()))
	return nil
}

// name reads a member's name, without quotes and escapes.
func (w *walker) name(d *jsonx.Decoder) ([]byte, error) {
	raw, err := w.value(d)
	if err != nil {
		return nil, err
	}
	// A name with a lone surrogate gets this far only in a loose walk, and
	// matches nothing.
	text, _ := unquoted(raw)
	return text, nil
}

// value reads a value and returns its range of the body, which outlives the
// decoder's buffer.
func (w *walker) value(d *jsonx.Decoder) ([]byte, error) {
	raw, err := d.ReadValue()
	if err != nil {
		return nil, err
	}
	end := int(d.InputOffset())
	return w.body[end-len(raw) : end : end], nil
}
