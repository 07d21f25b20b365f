package seal_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/parleymcp/parley/core/seal"
)

// A server that remembers nothing seals what it has to know on the next
// request, and opens it when the client brings it back.
func Example() {
	ring, err := seal.NewRing(seal.EphemeralKey()) // in production: seal.HexKey(os.Getenv("STATE_KEY"))
	if err != nil {
		log.Fatal(err)
	}
	codec := ring.Codec("checkout", "https://shop.example")

	// Both from the request that is being served, and both times.
	binding := seal.Binding{
		Request:   seal.Digest([]byte("request"), []byte("POST /checkout")),
		Principal: [][]byte{[]byte("https://id.example"), []byte("ada")},
	}
	now := time.Now()
	claims := seal.Claims{Issued: now, Expires: now.Add(10 * time.Minute), FlowUntil: now.Add(time.Hour), Round: 1}
	_, _ = rand.Read(claims.Flow[:])

	token, err := codec.Seal(seal.Encrypted, binding, claims, []byte("2 pizzas"))
	if err != nil {
		log.Fatal(err)
	}

	got, payload, err := codec.Open(seal.Encrypted, binding, token, time.Now())
	fmt.Printf("round %d: %s, %v\n", got.Round, payload, err)

	binding.Principal = [][]byte{[]byte("https://id.example"), []byte("eve")}
	_, _, err = codec.Open(seal.Encrypted, binding, token, time.Now())
	if refused, ok := errors.AsType[*seal.OpenError](err); ok {
		fmt.Println("for the log:", refused.Reason)
	}
	// Output:
	// round 1: 2 pizzas, <nil>
	// for the log: state_principal
}

// Keys are replaced while the server runs. Tokens sealed before still open, and
// the hook tells when nobody brings them any more.
func ExampleRing_Replace() {
	oldKey, newKey := seal.HexKey(seal.GenerateKey()), seal.HexKey(seal.GenerateKey())
	ring, err := seal.NewRing(oldKey)
	if err != nil {
		log.Fatal(err)
	}
	underOld := 0
	ring.OnOldKey = func(string) { underOld++ }

	codec := ring.Codec("checkout", "https://shop.example")
	now := time.Now()
	claims := seal.Claims{Issued: now, Expires: now.Add(time.Minute), FlowUntil: now.Add(time.Minute), Flow: [16]byte{1}}
	token, err := codec.Seal(seal.Signed, seal.Binding{}, claims, nil)
	if err != nil {
		log.Fatal(err)
	}

	if err := ring.Replace(newKey, oldKey.OpenOnly()); err != nil {
		log.Fatal(err)
	}
	_, _, err = codec.Open(seal.Signed, seal.Binding{}, token, now)
	fmt.Println(err, underOld)

	if err := ring.Replace(newKey, oldKey.Retired()); err != nil {
		log.Fatal(err)
	}
	_, _, err = codec.Open(seal.Signed, seal.Binding{}, token, now)
	fmt.Println(err)
	// Output:
	// <nil> 1
	// parley: token refused: state_unknown_key (retired)
}

// All that is wrong with a list of keys comes back at once, and none of it
// shows a key.
func ExampleNewRing_errors() {
	_, err := seal.NewRing(
		seal.HexKey(""), // a variable that is not set
		seal.RawKey([]byte("hunter2")),
		seal.HexKey("deadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeefdeadbeef").OpenOnly(),
	)
	fmt.Println(err)
	// Output:
	// parley: keys[0]: empty: make a key with GenerateKey or `openssl rand -hex 32`
	// parley: keys[1]: 7 bytes: a key has at least 32
	// parley: keys[2]: repeated or counting bytes: make a key with GenerateKey or `openssl rand -hex 32`
}
