package envelope

// Careful is Parse without the quick way.
func (m *Message) Careful(body []byte) error { return m.careful(body) }

// How many members there are of params, the whole of it among them, and of _meta.
const (
	ParamCount = int(paramCount)
	MetaCount  = int(metaCount)
)

// Quick reports whether the quick way takes a body.
func Quick(body []byte) bool {
	w := walk(body, new(Message))
	return w.quick()
}
