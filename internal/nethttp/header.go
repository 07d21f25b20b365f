package nethttp

import "net/http"

// header is an [http.Header] that is first asked for a name as it is given. The
// server spells names as net/http keeps them, and bringing them into that form
// took 3 300 of the 40 000 instructions of a small call.
type header http.Header

// Get returns the first value of the field, or "".
func (h header) Get(name string) string {
	if values := h[name]; len(values) > 0 {
		return values[0]
	}
	return http.Header(h).Get(name)
}

// Values returns all values of the field, in the order they came.
func (h header) Values(name string) []string {
	if values := h[name]; len(values) > 0 {
		return values
	}
	return http.Header(h).Values(name)
}
