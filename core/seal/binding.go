package seal

import (
	"crypto/sha256"
	"errors"
)

const tagSize = 16

// Binding is what a token is good for besides its purpose and audience. A token
// opens only under the binding it was sealed with. It is taken from the request
// that is being served, never from the token.
type Binding struct {
	// Request is a digest of the request, made with [Digest].
	Request [sha256.Size]byte

	// Principal identifies who is calling, as parts in a fixed order, such as
	// issuer and subject. Parts are kept apart by their lengths. nil means
	// anonymous, which is a kind of its own and equal to no list of parts. A
	// list without parts, or whose parts are all empty, names nobody and is
	// refused as a mistake of the server.
	Principal [][]byte
}

var errNobody = errors.New("parley: seal: Binding.Principal is a list that names nobody; anonymous is nil")

func (b *Binding) check() error {
	if b.Principal == nil {
		return nil
	}
	for _, part := range b.Principal {
		if len(part) > 0 {
			return nil
		}
	}
	return errNobody
}
