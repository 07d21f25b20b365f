package main

import (
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/core/server"
)

// settings are what the operator decides.
type settings struct {
	framework, addr   string
	keys              []seal.Key
	stateTTL, flowTTL time.Duration
	tokens            identity
	anonymous, legacy bool
	answerTimeout     time.Duration
}

// parseSettings reports everything that is wrong at once, and shows no secret.
// Secrets are better kept in the environment: everybody on the machine can read
// a command line.
func parseSettings(args []string) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("bank", flag.ExitOnError)
	flags.StringVar(&s.framework, "framework", "stdlib", "web framework to serve with: "+frameworkNames())
	flags.StringVar(&s.addr, "addr", "127.0.0.1:0", "host:port to listen on; port 0 takes a free one")
	keys := flags.String("keys", "", "keys that seal request state: active:HEX,open:HEX,retired:HEX (default $BANK_KEYS)")
	flags.DurationVar(&s.stateTTL, "state-ttl", 10*time.Minute, "time to answer one round of questions")
	flags.DurationVar(&s.flowTTL, "flow-ttl", time.Hour, "time to answer all rounds of a call")
	flags.BoolVar(&s.anonymous, "anonymous", false, "serve callers without a token, who all have the same accounts")
	flags.BoolVar(&s.legacy, "legacy", false, "give clients of revisions before 2026-07-28 sessions, in which they can be asked")
	flags.DurationVar(&s.answerTimeout, "answer-timeout", 0, "time for a client with -legacy to answer one round (default 5m)")
	readTokens := s.tokens.flags(flags)
	if err := flags.Parse(args); err != nil {
		return s, err
	}

	err := readTokens()
	if err == nil && s.tokens.secret == nil && !s.anonymous {
		err = errors.New("nobody could call: set -hmac for callers with a token, -anonymous for those without, or both")
	}
	errs := []error{err}
	if frameworks[s.framework] == nil {
		errs = append(errs, fmt.Errorf("-framework is %q, allowed are %s", s.framework, frameworkNames()))
	}
	if *keys == "" {
		*keys = os.Getenv("BANK_KEYS")
	}
	s.keys, err = parseKeys(*keys)
	return s, errors.Join(append(errs, err)...)
}

var errNoKeys = errors.New("-keys is empty, and without a key no state can be sealed: " +
	"make one with `openssl rand -hex 32`, start every instance with -keys active:KEY, and keep it secret")

// parseKeys reads a key ring. A key is added to it as open on every instance,
// then made the active one, the old one open; then retired, when no flow can be
// as old: after -flow-ttl.
func parseKeys(list string) ([]seal.Key, error) {
	if list == "" {
		return nil, errNoKeys
	}
	var (
		keys []seal.Key
		errs []error
	)
	for i, item := range strings.Split(list, ",") {
		state, digits, _ := strings.Cut(item, ":")
		key := seal.HexKey(digits) // a mistake in it is reported by server.New
		switch state {
		case "active":
			keys = append(keys, key)
		case "open":
			keys = append(keys, key.OpenOnly())
		case "retired":
			keys = append(keys, key.Retired())
		default: // the item is not shown: it may be a key without its state
			errs = append(errs, fmt.Errorf("-keys: item %d must be active:HEX, open:HEX or retired:HEX", i+1))
		}
	}
	return keys, errors.Join(errs...)
}

func (s *settings) serverConfig() (server.Config, error) {
	who, err := s.tokens.principal(s.anonymous)
	return server.Config{
		Name:         "bank",
		Title:        "A bank",
		Version:      "1.0.0",
		Instructions: "Amounts are in cents.",
		Keys:         s.keys,
		Principal:    who,
		Audience:     s.tokens.audience,
		RoundTTL:     s.stateTTL,
		FlowTTL:      s.flowTTL,
		Legacy:       server.Legacy{Sessions: s.legacy, AnswerTimeout: s.answerTimeout},
		Logger:       slog.New(slog.NewTextHandler(os.Stderr, nil)),
	}, err
}
