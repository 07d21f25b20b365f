package seal

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"
)

// Mode says whether the client may read what it keeps. Its value is the first
// letter of the token.
type Mode byte

// The modes. A token of one is never opened as the other.
const (
	// Signed tokens can be read by the client, and by everyone it shows them
	// to. They cannot be changed.
	Signed Mode = 's'

	// Encrypted tokens can be neither read nor changed.
	Encrypted Mode = 'e'
)

// Codec seals and opens tokens for one purpose and audience. It is made by
// [Ring.Codec], follows its ring, and is safe for concurrent use.
type Codec struct {
	ring     *Ring
	scope    scope
	schedule atomic.Pointer[schedule]
}

var (
	errNoRing = errors.New("parley: seal: a Ring without keys; make it with NewRing")
	errMode   = errors.New("parley: seal: a mode is Signed or Encrypted")
)

// Seal makes a token. The payload is carried as it is; with about 49 000 bytes
// of it a token reaches [MaxToken], and a longer one is an error. So are a
// binding that names nobody, a zero flow, and times that would never open.
func (c *Codec) Seal(m Mode, b Binding, cl Claims, payload []byte) (string, error) {
	var fresh [xaesNonceSize + len(cl.ID)]byte
	_, _ = rand.Read(fresh[:]) // Never fails; it ends the process instead.
	if cl.ID == [16]byte{} {
		cl.ID = [16]byte(fresh[xaesNonceSize:])
	}
	return c.seal(m, &b, &cl, payload, [xaesNonceSize]byte(fresh[:]))
}

func (c *Codec) seal(m Mode, b *Binding, cl *Claims, payload []byte, nonce [xaesNonceSize]byte) (string, error) {
	l, err := m.layout()
	if err != nil {
		return "", err
	}
	if err := errors.Join(b.check(), cl.check()); err != nil {
		return "", err
	}
	if len(payload) > l.maxPayload() {
		return "", fmt.Errorf("parley: seal: a payload of %d bytes, at most %d fit a token", len(payload), l.maxPayload())
	}
	sch, err := c.current()
	if err != nil {
		return "", err
	}
	key := sch.sealing
	tag := key.bind.tag(b.Principal)

	kept := buffers.Get().(*[]byte)
	defer recycle(kept)
	raw := l.around() + len(payload)
	buf := slices.Grow((*kept)[:0], rawAt+raw+len(l.prefix)+segment.EncodedLen(raw))[:rawAt]
	buf = append(buf, key.kid[:]...)
	buf = append(buf, nonce[:l.nonce]...)
	buf = appendEnvelope(buf, cl, &b.Request, &tag, payload)
	if m == Signed {
		mac := key.sign.mac(buf)
		buf = append(buf, mac[:]...)
	} else {
		env := rawAt + l.env
		if buf, err = key.encrypt.seal(buf[:env], buf[rawAt+kidSize:env], buf[env:], key.data); err != nil {
			return "", err
		}
	}
	end := len(buf)
	buf = segment.AppendEncode(append(buf, l.prefix...), buf[rawAt:end])
	*kept = buf
	return string(buf[end:]), nil
}

// Open returns the claims and the payload of a token that this ring sealed in
// this mode for the same purpose, audience and binding, and that is within its
// time. Anything else is an error that matches [ErrToken], an *[OpenError] with
// the reason; the claims are zero then. How many rounds are too many, and
// whether the token was used before, is left to the caller.
func (c *Codec) Open(m Mode, b Binding, token string, now time.Time) (Claims, []byte, error) {
	if len(token) > MaxToken {
		return Claims{}, nil, errOversize
	}
	l, err := m.layout()
	if err != nil {
		return Claims{}, nil, err
	}
	if err := b.check(); err != nil {
		return Claims{}, nil, err
	}
	sch, err := c.current()
	if err != nil {
		return Claims{}, nil, err
	}

	kept := buffers.Get().(*[]byte)
	defer recycle(kept)
	buf, err := l.decode(kept, token)
	if err != nil {
		return Claims{}, nil, err
	}
	key := sch.byKid[kid(buf[rawAt:])]
	switch {
	case key == nil:
		return Claims{}, nil, errUnknownKey
	case key.retired:
		return Claims{}, nil, errRetiredKey
	}
	env, err := key.verify(m, l, buf)
	if err != nil {
		return Claims{}, nil, err
	}
	var cl Claims
	tag := key.bind.tag(b.Principal)
	if err := cl.read(env, &b.Request, &tag, now); err != nil {
		return Claims{}, nil, err
	}
	if key != sch.sealing && c.ring.OnOldKey != nil {
		c.ring.OnOldKey(key.keyID)
	}
	return cl, bytes.Clone(env[atPayload:]), nil
}

// current returns the schedule for the state the ring is in.
func (c *Codec) current() (*schedule, error) {
	set := c.ring.keys.Load()
	if set == nil {
		return nil, errNoRing
	}
	if sch := c.schedule.Load(); sch != nil && sch.from == set {
		return sch, nil
	}
	sch, err := newSchedule(set, c.scope)
	if err != nil {
		return nil, err
	}
	// If another goroutine stored that of a later state meanwhile, the next
	// call derives once more.
	c.schedule.Store(sch)
	return sch, nil
}
