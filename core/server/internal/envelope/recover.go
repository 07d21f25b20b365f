package envelope

import (
	"bytes"
	"unicode/utf8"

	"github.com/parleymcp/parley/internal/jsonx"
)

// recoverID reads the id of a body that is refused: at the top level, complete,
// and the only one as far as the text can be followed.
func recoverID(body []byte) []byte {
	var id []byte
	count := 0
	w := walker{body: body}
	// Whatever stops the walk, what was read before it stands.
	_ = jsonx.WalkLoose(body, true, func(d *jsonx.Decoder) error {
		if d.PeekKind() != '{' {
			return nil
		}
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		return w.members(d, func(name []byte) error {
			if string(name) == "id" {
				count++
				if kind := d.PeekKind(); kind == '"' || kind == '0' {
					value, err := w.value(d)
					if err == nil && isID(value) && utf8.Valid(value) && complete(body[d.InputOffset():]) {
						id = value
					}
					return err
				}
			}
			return d.SkipValue() // unlike ReadValue it does not recurse
		})
	})
	if count != 1 {
		return nil
	}
	return id
}

// complete reports whether the member before rest has ended: 12 in a body that
// was cut off may have been 123.
func complete(rest []byte) bool {
	rest = bytes.TrimLeft(rest, " \t\r\n")
	return len(rest) > 0 && (rest[0] == ',' || rest[0] == '}')
}
