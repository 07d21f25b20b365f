package clients_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"
)

// Everybody is asked by several servers, and answers as this user does. The
// drivers in JavaScript have him in user.mjs.
var known = map[string]any{
	"name": "Ada", "colour": "blue", "color": "blue", "size": 3, "username": "Ada", "email": "ada@example.com",
	"context": "interop", "ok": true, "note": "rent",
}

const (
	sampledText = "Hello there,"
	root        = "file:///interop"
)

// fill fills a form: with what he knows, or the first that there is to choose.
func fill(requestedSchema any) (map[string]any, error) {
	raw, err := json.Marshal(requestedSchema)
	if err != nil {
		return nil, err
	}
	var schema struct {
		Properties map[string]struct {
			Enum  []string `json:"enum"`
			OneOf []struct {
				Const string `json:"const"`
			} `json:"oneOf"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(raw, &schema); err != nil {
		return nil, err
	}
	content := map[string]any{}
	for _, field := range slices.Sorted(maps.Keys(schema.Properties)) {
		property := schema.Properties[field]
		first := ""
		if len(property.OneOf) > 0 {
			first = property.OneOf[0].Const
		}
		if len(property.Enum) > 0 {
			first = property.Enum[0]
		}
		content[field] = first
		if value, ok := known[field]; ok {
			content[field] = value
		}
	}
	return content, nil
}

// action is what he does with a question.
func action(user string) string { return cmp.Or(user, "accept") }

// user is who sits in front of a client in Go: he is asked one call at a time,
// except while changes are waited for.
type user struct {
	mu       sync.Mutex
	will     string
	asked    []question
	steps    []string
	news     []string
	newsCame chan struct{}
}

// turn is one call.
type turn struct{ u *user }

// ask forgets what he was asked before.
func (u *user) ask(will string) turn {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.will, u.asked, u.steps = action(will), nil, nil
	return turn{u}
}

func (t turn) reply(steps int, result any, err error, code func(error) int) (reply, error) {
	for range 200 { // if there is any progress
		if made := t.u.made(); made == 0 || made >= steps {
			break
		}
		<-time.After(10 * time.Millisecond)
	}
	t.u.mu.Lock()
	defer t.u.mu.Unlock()
	r := reply{Asked: t.u.asked, Progress: t.u.steps}
	if err != nil {
		r.Error = &failure{Code: code(err), Message: err.Error()}
		return r, nil
	}
	r.Result, err = json.Marshal(result)
	return r, err
}

// answer answers an elicitation.
func (u *user) answer(mode, message, link string, schema any) (string, map[string]any, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.asked = append(u.asked, question{Kind: cmp.Or(mode, "form"), Message: message, URL: link})
	if u.will != "accept" || mode == "url" {
		return u.will, nil, nil
	}
	content, err := fill(schema)
	return u.will, content, err
}

// note remembers a question of another kind.
func (u *user) note(kind, message string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.asked = append(u.asked, question{Kind: kind, Message: message})
}

// made is how often progress was made.
func (u *user) made() int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return len(u.steps)
}

func (u *user) progress(progress, total float64, message string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.steps = append(u.steps, fmt.Sprintf("%v/%v %s", progress, total, message))
}

// changed is what a notification says.
func (u *user) changed(what string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.news = append(u.news, what)
	if u.newsCame != nil {
		close(u.newsCame)
		u.newsCame = nil
	}
}

// forget forgets the changes of before.
func (u *user) forget() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.news = nil
}

// changes waits for a change, and returns all there were.
func (u *user) changes(ctx context.Context, what string, milliseconds int64) ([]string, error) {
	patience := time.After(time.Duration(milliseconds) * time.Millisecond)
	for {
		u.mu.Lock()
		seen, more := slices.Clone(u.news), make(chan struct{})
		u.newsCame = more
		u.mu.Unlock()
		if slices.Contains(seen, what) {
			return seen, nil
		}
		select {
		case <-more:
		case <-patience:
			return append([]string{}, seen...), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// withToken sends a token with every request.
type withToken struct {
	*http.Transport
	token string
}

func (w withToken) RoundTrip(req *http.Request) (*http.Response, error) {
	if w.token != "" {
		req = req.Clone(req.Context())
		req.Header.Set("Authorization", "Bearer "+w.token)
	}
	return w.Transport.RoundTrip(req)
}
