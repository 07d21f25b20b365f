package adaptertest

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// testStorm sends requests of many users over connections they share. Each
// must see its own body, header, context value and principal, however the
// framework reuses its buffers.
func testStorm(t *testing.T, f *fixture) {
	const users, calls = 16, 24
	c := newClient(t, f.app)
	var all sync.WaitGroup
	for u := range users {
		all.Go(func() {
			for i := range calls {
				if err := storm(t, c, u, i); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}

func storm(t *testing.T, c *client, u, i int) error {
	user := fmt.Sprintf("user-%02d-%02d", u, i)
	text := strings.Repeat(user+" ", 1+(u*7+i*13)%60)
	msg := tool("echo", object{"text": text, "stream": (u+i)%2 == 0}).with(UserHeader, user)
	a, err := c.try(c.request(t.Context(), msg))
	if err != nil {
		return fmt.Errorf("%s: %w", user, err)
	}
	if want := strings.Join([]string{text, user, user, user}, "|"); a.status != 200 || a.message.text() != want {
		return fmt.Errorf("%s: status %d, text %q, want %q", user, a.status, a.message.text(), want)
	}
	return nil
}
