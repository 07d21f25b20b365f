package envelope

// finish makes the message of what was collected and judges it as JSON-RPC 2.0.
func (w *walker) finish() error {
	if w.msg.Kind == Batch || w.problem == errNotObject {
		return w.verdict()
	}
	m := w.msg
	if isID(w.id) {
		m.ID = w.id
	}
	if version, _ := unquoted(w.jsonrpc); string(version) != "2.0" {
		return errVersion
	}
	if w.method == nil {
		return w.response()
	}
	if m.Result != nil || m.Error != nil {
		return errBoth
	}
	method, ok := usualText(w.method)
	switch {
	case !ok:
		return errMethod
	case w.id != nil && m.ID == nil:
		return errID
	}
	m.Method = method
	m.Kind = Request
	if w.id == nil {
		m.Kind = Notification
	}
	return w.verdict()
}

func (w *walker) response() error {
	m := w.msg
	switch {
	case (m.Result == nil) == (m.Error == nil):
		return errNeither
	case m.ID == nil && (m.Error == nil || string(w.id) != "null"):
		// Whoever could not read our id answers with an error and null.
		return errID
	}
	m.Kind = Response
	return w.verdict()
}

// verdict is what the walk found, as far as it matters for this kind.
func (w *walker) verdict() error {
	switch {
	case w.problem == nil:
		return nil
	case w.problem.Code == errParams.Code && w.msg.Kind != Request:
		return nil
	}
	return w.problem
}

// surrogate notes that the first lone surrogate stands at an offset. The
// elements of a batch speak for themselves.
func (w *walker) surrogate(offset int) {
	switch {
	case w.msg.Kind == Batch || w.problem == errNotObject:
	case offset < w.params[0] || offset >= w.params[1]:
		w.problem = errText
	default:
		w.problem = errSurrogate
	}
}
