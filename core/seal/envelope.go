package seal

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/binary"
	"errors"
	"time"
)

// Claims is what a token says about itself. Times are kept to the millisecond,
// in UTC.
type Claims struct {
	// Issued is when the token was sealed, by the clock of the server that
	// did. A clock may be a minute behind it, no more.
	Issued time.Time

	// Expires is when the token stops to open, and FlowUntil when every token
	// of its flow does, however often one is sealed anew. Both are after
	// Issued, and the moment itself is too late.
	Expires, FlowUntil time.Time

	// Flow is the same in all tokens of one flow. It is drawn at random by the
	// caller when the flow begins, and never zero.
	Flow [16]byte

	// ID tells this token from every other. If it is zero, Seal draws it.
	ID [16]byte

	// Round counts the rounds of the flow. What is too many, the caller says.
	Round uint16
}

// The fixed part of an envelope, by offset.
const (
	atVersion   = 0
	atFlags     = 1
	atIssued    = 2
	atExpires   = 10
	atFlowUntil = 18
	atFlow      = 26
	atID        = 42
	atRound     = 58
	atRequest   = 60
	atTag       = atRequest + sha256.Size
	atPayload   = atTag + tagSize
)

const (
	version   = 1
	clockSkew = time.Minute
)

var (
	errNoFlow = errors.New("parley: seal: Claims.Flow is zero; draw one at random when a flow begins")
	errTimes  = errors.New("parley: seal: Claims.Expires and Claims.FlowUntil must be after Claims.Issued")
)

func (c *Claims) check() error {
	issued := c.Issued.UnixMilli()
	switch {
	case c.Flow == [16]byte{}:
		return errNoFlow
	case c.Expires.UnixMilli() <= issued || c.FlowUntil.UnixMilli() <= issued:
		return errTimes
	}
	return nil
}

func appendEnvelope(b []byte, c *Claims, request *[sha256.Size]byte, tag *[tagSize]byte, payload []byte) []byte {
	b = append(b, version, 0)
	b = appendMilli(b, c.Issued)
	b = appendMilli(b, c.Expires)
	b = appendMilli(b, c.FlowUntil)
	b = append(b, c.Flow[:]...)
	b = append(b, c.ID[:]...)
	b = binary.BigEndian.AppendUint16(b, c.Round)
	b = append(b, request[:]...)
	b = append(b, tag[:]...)
	return append(b, payload...)
}

func appendMilli(b []byte, t time.Time) []byte {
	return binary.BigEndian.AppendUint64(b, uint64(t.UnixMilli()))
}

func milli(b []byte) time.Time {
	return time.UnixMilli(int64(binary.BigEndian.Uint64(b))).UTC() //nolint:gosec // Two's complement, as written.
}

// read takes an envelope apart that is known to be long enough and to be ours.
// Every check that could tell somebody something is made before one of them
// decides.
func (c *Claims) read(env []byte, request *[sha256.Size]byte, tag *[tagSize]byte, now time.Time) error {
	if env[atVersion] != version || env[atFlags] != 0 {
		return errEncoding
	}
	c.Issued = milli(env[atIssued:])
	c.Expires = milli(env[atExpires:])
	c.FlowUntil = milli(env[atFlowUntil:])
	c.Flow = [16]byte(env[atFlow:])
	c.ID = [16]byte(env[atID:])
	c.Round = binary.BigEndian.Uint16(env[atRound:])

	sameRequest := subtle.ConstantTimeCompare(env[atRequest:atTag], request[:])
	sameTag := subtle.ConstantTimeCompare(env[atTag:atPayload], tag[:])

	at := now.UnixMilli()
	switch {
	case c.Issued.UnixMilli() > at+clockSkew.Milliseconds():
		return errFuture
	case at >= c.Expires.UnixMilli():
		return errExpired
	case at >= c.FlowUntil.UnixMilli():
		return errFlowExpired
	case sameRequest != 1:
		return errRequest
	case sameTag != 1:
		return errPrincipal
	}
	return nil
}
