package envelope

// Careful is Parse without the quick way.
var Careful = careful

// Quick reports whether the quick way takes a body.
func Quick(body []byte) bool {
	w := walker{body: body}
	return w.quick()
}
