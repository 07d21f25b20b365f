package headers

// JSONContentType reports whether the values of Content-Type are the one that a
// request must have: application/json, case and parameters free.
func JSONContentType(values []string) bool {
	if len(values) != 1 {
		return false
	}
	if values[0] == "application/json" {
		return true
	}
	// Two lines that were joined on the way are two.
	value, _, more := cut(values[0], ',')
	essence, _, _ := cut(value, ';')
	return !more && fold(trim(essence), "application/json")
}

// Identity reports whether the values of Content-Encoding name no encoding.
func Identity(values []string) bool {
	for _, value := range values {
		for more := true; more; {
			var part string
			part, value, more = cut(value, ',')
			if part = trim(part); part != "" && !fold(part, "identity") {
				return false
			}
		}
	}
	return true
}
