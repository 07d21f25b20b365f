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
	scope := flags.String("scope", "", "what it allows, separated by spaces: "+scopeConnect)
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
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.MapClaims{
		"iss":   id.issuer,
		"sub":   *sub,
		"aud":   id.audience,
		"iat":   now.Unix(),
		"exp":   now.Add(*ttl).Unix(),
		"jti":   rand.Text(),
		"scope": *scope,
	}).SignedString(id.secret)
	if err != nil {
		return err
	}
	fmt.Println(token)
	return nil
}
