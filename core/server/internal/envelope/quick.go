package envelope

import "github.com/parleymcp/parley/core/protocol"

// quick reads a message that nothing is wrong with. It is false for every
// other body, and for a batch; then what it has collected means nothing.
func (w *walker) quick() bool { return scan(w.body, w.quickMessage) }

func (w *walker) quickMessage(s *scanner) bool {
	m := w.msg
	ok := s.members(func(name []byte) bool {
		var dst *[]byte
		switch string(name) {
		case "params":
			return w.quickParams(s)
		case "jsonrpc":
			dst = &w.jsonrpc
		case "id":
			dst = &w.id
		case "method":
			dst = &w.method
		case "result":
			dst = &m.Result
		case "error":
			dst = &m.Error
		default:
			return s.value()
		}
		var ok bool
		*dst, ok = s.raw()
		return ok
	})
	return ok && s.peek() == 0 && s.pos == len(s.data)
}

func (w *walker) quickParams(s *scanner) bool {
	p := &w.msg.Params
	if s.peek() != '{' {
		return w.quickOther(s, &p.Present, errParams)
	}
	p.Present = true
	start := s.pos
	ok := s.members(func(name []byte) bool {
		if string(name) == "_meta" {
			return w.quickMeta(s)
		}
		return s.collect(p.member(name))
	})
	p.ranges[ParamRaw] = spanOf(s.pos-start, s.pos)
	return ok
}

func (w *walker) quickMeta(s *scanner) bool {
	m := &w.msg.Params.Meta
	if s.peek() != '{' {
		return w.quickOther(s, &m.Present, errMeta)
	}
	m.Present = true
	return s.members(func(name []byte) bool {
		if string(name) != protocol.MetaClientInfo || s.peek() != '{' {
			return s.collect(m.member(name))
		}
		start := s.pos
		var ok bool
		m.described, ok = s.implementation()
		m.ranges[MetaClientInfo] = spanOf(s.pos-start, s.pos)
		return ok
	})
}

// quickOther reads what stands where an object should; null counts as absent.
func (w *walker) quickOther(s *scanner, present *bool, problem *Error) bool {
	if s.peek() != 'n' {
		*present = true
		w.problem = problem
	}
	return s.value()
}

// collect reads a value into dst. Null counts as absent.
func (s *scanner) collect(dst *span) bool {
	value, ok := s.raw()
	if ok && dst != nil && string(value) != "null" {
		*dst = spanOf(len(value), s.pos)
	}
	return ok
}
