package main

import (
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// printToken is the command "bank token", which stands for an issuer: it signs
// what it is asked for.
func printToken(args []string) error {
	var id identity
	flags := flag.NewFlagSet("bank token", flag.ExitOnError)
	sub := flags.String("sub", "", "whom the token is for")
	ttl := flags.Duration("ttl", 5*time.Minute, "how long it is good")
	readSecret := id.flags(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := readSecret(); err != nil {
		return err
	}
	if id.secret == nil {
		return errors.New("-hmac is empty: it is the key that signs the token, the same as the server's")
	}
	now := time.Now()
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.RegisteredClaims{
		Issuer:    id.issuer,
		Subject:   *sub,
		Audience:  jwt.ClaimStrings{id.audience},
		IssuedAt:  jwt.NewNumericDate(now),
		ExpiresAt: jwt.NewNumericDate(now.Add(*ttl)),
		ID:        rand.Text(),
	}).SignedString(id.secret)
	if err != nil {
		return err
	}
	fmt.Println(token)
	return nil
}
