package seal

import (
	"crypto/hkdf"
	"crypto/sha256"
)

const (
	kidSize    = 8
	subkeySize = 32
)

type kid = [kidSize]byte

// schedule is everything a codec needs under one state of its ring.
type schedule struct {
	from    *keySet
	sealing *subkeys
	byKid   map[kid]*subkeys
}

// subkeys are what one key becomes for one purpose and audience.
type subkeys struct {
	kid     kid
	keyID   string
	retired bool
	sign    *keyedHash
	bind    *keyedHash
	encrypt *xaes
	data    []byte // what an encrypted token authenticates besides itself
}

func newSchedule(set *keySet, s scope) (*schedule, error) {
	sch := &schedule{from: set, byKid: make(map[kid]*subkeys, len(set.keys))}
	for i, k := range set.keys {
		sub, err := newSubkeys(k, s)
		if err != nil {
			return nil, err
		}
		sch.byKid[sub.kid] = sub
		if i == set.sealing {
			sch.sealing = sub
		}
	}
	return sch, nil
}

func newSubkeys(k Key, s scope) (*subkeys, error) {
	var derived [4][]byte
	for i, label := range [...]string{labelKeyID, labelSign, labelBind, labelEncrypt} {
		info := string(pae(namespace, label, s.purpose, s.audience))
		key, err := hkdf.Key(sha256.New, k.secret.root(), nil, info, subkeySize)
		if err != nil {
			return nil, err
		}
		derived[i] = key
	}
	enc, err := newXAES(derived[3])
	if err != nil {
		return nil, err
	}
	sub := &subkeys{
		kid:     kid(derived[0]),
		keyID:   k.secret.id,
		retired: k.state == retired,
		sign:    newKeyedHash(derived[1]),
		bind:    newKeyedHash(derived[2]),
		encrypt: enc,
	}
	sub.data = pae(namespace, "e1", string(sub.kid[:]))
	return sub, nil
}
