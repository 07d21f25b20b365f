package fasthttpio

import (
	"errors"
	"io"
)

// maxDrain is how much of a body that nobody read is taken off a connection in
// order to keep it; net/http does the same.
const maxDrain = 256 << 10

// streamedBody reads a body from the connection, for apps with
// StreamRequestBody. It remembers the end: fasthttp would read on, into the
// next request.
type streamedBody struct {
	stream io.Reader
	err    error
}

func (b *streamedBody) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.stream.Read(p)
	b.err = err
	return n, err
}

// drained reads what the server has left, and reports whether the connection
// can serve another request. fasthttp would take the rest for one.
func (b *streamedBody) drained() bool {
	_, err := io.CopyN(io.Discard, b, maxDrain)
	return errors.Is(err, io.EOF)
}
