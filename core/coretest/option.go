package coretest

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/replay"
	"github.com/parleymcp/parley/core/seal"
	"github.com/parleymcp/parley/internal/jsonx"
)

// Option answers a question, or changes the circumstances of a call.
type Option func(*setup)

// Asker is what can be answered: an ask or a selection.
type Asker[T any] interface {
	Key() string
	Encode(T) (json.RawMessage, error)
}

// setup is what the options of a round say.
type setup struct {
	answers     map[string]json.RawMessage
	preseeded   map[string]json.RawMessage
	principal   core.Principal
	scopes      []string
	caps        json.RawMessage
	legacy      bool
	allowMisuse bool
	store       replay.Store
	keys        *seal.Ring
	everyRound  bool
	state       *string         // instead of the last round's
	arguments   json.RawMessage // instead of the first round's
	offset      time.Duration
	problems    []error
}

// clone keeps what lasts from round to round: all but answers, and what was
// said for one round only.
func (s *setup) clone() setup {
	out := *s
	out.answers = maps.Clone(s.answers)
	out.preseeded, out.state, out.problems = nil, nil, nil
	return out
}

func (s *setup) answer(key string, response json.RawMessage) {
	if _, twice := s.answers[key]; twice {
		s.problems = append(s.problems, fmt.Errorf("two answers for %q", key))
	}
	s.answers[key] = response
}

// Accept answers a question with v.
func Accept[T any](ask Asker[T], v T) Option {
	return func(s *setup) {
		raw, err := ask.Encode(v)
		if err != nil {
			s.problems = append(s.problems, fmt.Errorf("the answer to %q: %w", ask.Key(), err))
		}
		s.answer(ask.Key(), raw)
	}
}

// Decline answers a question with no.
func Decline(ask interface{ Key() string }) Option { return Refuse(ask.Key()) }

// Cancel closes a question without a choice.
func Cancel(ask interface{ Key() string }) Option {
	return func(s *setup) { s.answer(ask.Key(), json.RawMessage(`{"action":"cancel"}`)) }
}

// Confirm says yes to the confirmation of that key.
func Confirm(key string) Option {
	return func(s *setup) { s.answer(key, json.RawMessage(`{"action":"accept","content":{}}`)) }
}

// Refuse says no to the question of that key.
func Refuse(key string) Option {
	return func(s *setup) { s.answer(key, json.RawMessage(`{"action":"decline"}`)) }
}

// Raw answers a question with any JSON: a broken or hostile client.
func Raw(key, response string) Option {
	return func(s *setup) { s.answer(key, json.RawMessage(response)) }
}

// Preseed sends an answer with the first call, before anything was asked.
func Preseed(key, response string) Option {
	return func(s *setup) {
		if s.preseeded == nil {
			s.preseeded = map[string]json.RawMessage{}
		}
		s.preseeded[key] = json.RawMessage(response)
	}
}

// As makes the call somebody's. The default is [core.Anonymous].
func As(p core.Principal) Option { return func(s *setup) { s.principal = p } }

// Scopes are what the caller was granted. The default is none. What a feature
// needs by the option core.Scopes is the server's to check, not a unit test's.
func Scopes(scopes ...string) Option { return func(s *setup) { s.scopes = scopes } }

// Capabilities are what the client declares. The default is everything.
func Capabilities(c core.ClientCapabilities) Option {
	return func(s *setup) {
		raw, err := jsonx.Marshal(c)
		if err != nil {
			s.problems = append(s.problems, err)
		}
		s.caps = raw
	}
}

// Legacy makes the client one of 2025-11-25 that cannot be asked.
func Legacy() Option { return func(s *setup) { s.legacy = true } }

// Replay is the single-use store. The default is one in memory, for the test.
func Replay(store replay.Store) Option { return func(s *setup) { s.store = store } }

// Keys is the ring that seals state. The default is a fresh one for the test;
// two tests that share a ring are two instances of a server.
func Keys(ring *seal.Ring) Option { return func(s *setup) { s.keys = ring } }

// EveryRound makes every state open once.
func EveryRound() Option { return func(s *setup) { s.everyRound = true } }

// AllowMisuse lets a handler's misuse be an error instead of failing the test.
func AllowMisuse() Option { return func(s *setup) { s.allowMisuse = true } }

// State sends a state of the test's choice with the next round: an old one, a
// stolen one, a broken one.
func State(token string) Option { return func(s *setup) { s.state = &token } }

// Arguments are sent from the next round on, instead of the first call's: a
// client that changes its mind. The test fails unless they are an object that
// repeats no member name: a server hands nothing else to a handler.
func Arguments(args string) Option {
	return func(s *setup) { s.arguments = json.RawMessage(args) }
}

// Advance moves the server's clock on by d before the round.
func Advance(d time.Duration) Option { return func(s *setup) { s.offset += d } }

// everything is what a client that can answer all questions declares.
var everything = must(jsonx.Marshal(core.ClientCapabilities{
	Elicitation: &protocol.ElicitationCapability{Form: &protocol.Empty{}, URL: &protocol.Empty{}},
	Sampling:    &protocol.SamplingCapability{Context: &protocol.Empty{}, Tools: &protocol.Empty{}},
	Roots:       &protocol.Empty{},
}))

func must(raw []byte, err error) json.RawMessage {
	if err != nil {
		panic(err)
	}
	return raw
}
