package core

import "github.com/parleymcp/parley/internal/jsonx"

// Memo pins a value across the rounds of a straight-line flow: computed once,
// sealed, and the same on every later round, whatever the world does meanwhile.
// If a response is lost it is computed again, so f has no effect that matters;
// what must happen once belongs into [Commit]. The value passes through JSON. It
// is part of the journal, which may have 24 KiB in all.
//
// While a question is open Memo does not run f and returns the pause.
func Memo[T any](ev *Event, key string, f func() (T, error)) (T, error) {
	var value T
	raw, err := ev.memo(key)
	if err != nil {
		return value, err
	}
	if raw == nil {
		fresh, err := f()
		if err != nil {
			return value, err
		}
		if raw, err = ev.keep(key, fresh); err != nil {
			return value, err
		}
	}
	if err := jsonx.UnmarshalUser(raw, &value); err != nil {
		ev.mu.Lock()
		defer ev.mu.Unlock()
		return value, ev.misuse("the memo %q does not come back from JSON: %v", key, err)
	}
	return value, nil
}

// memo is the pinned value, nil if it must be computed.
func (ev *Event) memo(key string) ([]byte, error) {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	f, err := ev.flowing("Memo")
	if err != nil {
		return nil, err
	}
	if err := ev.useKey("memo", key); err != nil {
		return nil, err
	}
	if ev.paused() {
		return nil, &pauseError{ev: ev}
	}
	return f.journal.Memos[key], nil
}

func (ev *Event) keep(key string, value any) ([]byte, error) {
	raw, err := jsonx.MarshalUser(value)
	ev.mu.Lock()
	defer ev.mu.Unlock()
	if err != nil {
		return nil, ev.misuse("the memo %q cannot be encoded: %v", key, err)
	}
	ev.flow.journal.Memos[key] = raw
	return raw, nil
}
