package replay_test

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/parleymcp/parley/core/replay"
)

// redisStore does what the comments of replay.Store say a store in Redis does,
// with the commands they name against a stand-in for the server. It passes the
// same tests as the memory store, so the interface fits Redis as it is.
type redisStore struct{ redis *redis }

func (s redisStore) Begin(ctx context.Context, id, digest [32]byte, until time.Time) (replay.Claim, error) {
	if err := ctx.Err(); err != nil {
		return replay.Claim{}, err
	}
	old, err := s.redis.setNXPXATGet(id, digest[:], until)
	switch {
	case err != nil:
		return replay.Claim{}, err
	case old == nil:
		return replay.Claim{Status: replay.Fresh}, nil
	case !bytes.Equal(old[:32], digest[:]):
		return replay.Claim{Status: replay.Conflict}, nil
	case len(old) == 32:
		return replay.Claim{Status: replay.InFlight}, nil
	}
	return replay.Claim{Status: replay.Done, Result: old[33:]}, nil
}

func (s redisStore) Finish(_ context.Context, id [32]byte, result []byte) error {
	return s.redis.script(func() error {
		if s.redis.strlen(id) != 32 {
			return replay.ErrNoClaim
		}
		s.redis.append(id, append([]byte(":"), result...))
		return nil
	})
}

func (s redisStore) Release(_ context.Context, id [32]byte) error {
	return s.redis.script(func() error {
		if s.redis.strlen(id) != 32 {
			return replay.ErrNoClaim
		}
		s.redis.del(id)
		return nil
	})
}

// redis is the little of a Redis server that a store needs: strings that
// expire, and scripts that run alone.
type redis struct {
	mu   sync.Mutex
	keys map[[32]byte]*redisValue
}

type redisValue struct {
	value   []byte
	expires time.Time
}

func newRedis() *redis { return &redis{keys: make(map[[32]byte]*redisValue)} }

func (r *redis) script(f func() error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return f()
}

func (r *redis) get(key [32]byte) *redisValue {
	v := r.keys[key]
	if v != nil && !time.Now().Before(v.expires) {
		delete(r.keys, key)
		return nil
	}
	return v
}

type redisError string

func (e redisError) Error() string { return string(e) }

func (r *redis) setNXPXATGet(key [32]byte, value []byte, until time.Time) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !until.After(time.Now()) {
		return nil, redisError("ERR invalid expire time in 'set' command")
	}
	if v := r.get(key); v != nil {
		return bytes.Clone(v.value), nil
	}
	r.keys[key] = &redisValue{bytes.Clone(value), until}
	return nil, nil
}

func (r *redis) strlen(key [32]byte) int {
	if v := r.get(key); v != nil {
		return len(v.value)
	}
	return 0
}

func (r *redis) append(key [32]byte, tail []byte) {
	v := r.get(key)
	v.value = append(v.value, tail...)
}

func (r *redis) del(key [32]byte) { delete(r.keys, key) }
