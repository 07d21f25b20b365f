package server

import (
	"errors"
	"io"
)

// trusted is how much memory is set aside for a body only because its length
// was announced. When so much of a longer one has arrived, the rest is believed.
const trusted = 128 << 10

// readBody reads r's body to its end, which net/http needs before it notices a
// client that leaves. The limit holds whatever the framework has checked. The
// second result is why the body cannot be used.
func readBody(r *Request, limit int64) ([]byte, *refusal) {
	if r.ContentLength > limit {
		return nil, refuseSize
	}
	if r.Body == nil {
		if r.ContentLength > 0 {
			return nil, refuseConsumed
		}
		return nil, nil
	}
	size := int64(512)
	if r.ContentLength >= 0 {
		size = min(r.ContentLength, trusted)
	}
	// One byte more than announced: the end is found without growing, and so
	// is a body that another middleware made longer.
	buf := make([]byte, 0, size+1)
	for {
		n, err := r.Body.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if int64(len(buf)) > limit {
			return nil, refuseSize
		}
		if err != nil {
			return buf, bodyEnd(r, len(buf), err)
		}
		if len(buf) == cap(buf) {
			buf = growBody(buf, r.ContentLength, limit)
		}
	}
}

func growBody(buf []byte, announced, limit int64) []byte {
	size := min(2*int64(cap(buf)), limit+1)
	if announced >= int64(len(buf)) {
		size = announced + 1
	}
	return append(make([]byte, 0, size), buf...)
}

// bodyEnd judges the end of a body of n bytes.
func bodyEnd(r *Request, n int, err error) *refusal {
	switch {
	case !errors.Is(err, io.EOF): // the client's connection broke, or its framing
		return refuseTruncated
	case int64(n) < r.ContentLength:
		// net/http calls a body that its client cut short an unexpected EOF, so
		// a plain end means that somebody else has read it.
		return refuseConsumed
	}
	return nil
}
