package examples_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strconv"
	"testing"
	"time"
)

// TestSharedTools talks to four frameworks in one process, which share tools,
// keys and callers. M22: mounts that each made a key of their own could not go on
// with what another began.
func TestSharedTools(t *testing.T) {
	t.Setenv("STATE_KEY", "8f1d0c6be2a94753b01e5d7c2f9a684410c7d3e5a96b2f81d47e03bc5a1968f2")
	t.Setenv("JWT_SECRET", jwtSecret)
	p := start(t, build(t, "shared-tools"), "-addr", "127.0.0.1:0")
	frameworks := []*program{p}
	for len(frameworks) < 4 {
		frameworks = append(frameworks, &program{url: p.listening(t)})
	}
	for i, at := range frameworks {
		next := frameworks[(i+1)%len(frameworks)]
		last := frameworks[(i+2)%len(frameworks)]
		t.Run(strconv.Itoa(i+1), func(t *testing.T) {
			t.Run("asks and answers", at.testWhoami)
			t.Run("the application", at.testApplication)
			t.Run("orders a pizza", func(t *testing.T) { testPizza(t, at, at, at) })
			t.Run("orders a pizza elsewhere", func(t *testing.T) { testPizza(t, at, next, last) })
			t.Run("callers", func(t *testing.T) { testCallers(t, at, next) })
		})
	}
	t.Run("ends with open streams", func(t *testing.T) {
		for _, at := range frameworks[1:] {
			stream := at.listen(t, "toolsListChanged")
			defer func() {
				if last := stream.next(t); last.Result == nil || last.Result.ResultType != "complete" {
					t.Errorf("the last event is %v, want the result", last)
				}
			}()
		}
		p.testEnd(t)
	})
}

// testPizza goes through the rounds of one order, each at another application.
func testPizza(t *testing.T, at ...*program) {
	one := at[0].tool(t, "pizza", nil)
	if !slices.Equal(one.asked(), []string{"size"}) {
		t.Fatalf("round 1: got %v, want a question for the size", one)
	}
	two := at[1].tool(t, "pizza", object{
		"inputResponses": answer("size", object{"size": "large"}), "requestState": one.Result.RequestState,
	})
	if !slices.Equal(two.asked(), []string{"toppings"}) {
		t.Fatalf("round 2: got %v, want a question for the toppings", two)
	}
	three := at[2].tool(t, "pizza", object{
		"inputResponses": answer("toppings", object{"toppings": []string{"basil", "olives"}}),
		"requestState":   two.Result.RequestState,
	})
	if want := "One large pizza with basil, olives."; three.text() != want {
		t.Errorf("round 3: got %v, want %q", three, want)
	}
	declined := object{"inputResponses": object{"size": object{"action": "decline"}}, "requestState": one.Result.RequestState}
	if got := at[1].tool(t, "pizza", declined); got.text() != "No pizza, then." {
		t.Errorf("declined: got %v", got)
	}
}

// testCallers lets one caller begin what another one tries to go on with.
func testCallers(t *testing.T, first, second *program) {
	as := func(p *program, subject string) *program { return &program{url: p.url, token: token(t, subject)} }
	asked := as(first, "ada").tool(t, "pizza", nil)
	if !slices.Equal(asked.asked(), []string{"size"}) {
		t.Fatalf("got %v, want a question for the size", asked)
	}
	more := object{"inputResponses": answer("size", object{"size": "small"}), "requestState": asked.Result.RequestState}
	if got := as(second, "ada").tool(t, "pizza", more); !slices.Equal(got.asked(), []string{"toppings"}) {
		t.Errorf("the same caller: got %v, want a question for the toppings", got)
	}
	for name, other := range map[string]*program{"another": as(second, "grace"), "an anonymous": {url: second.url}} {
		if got := other.tool(t, "pizza", more); got.Error == nil || got.Error.Code != -32602 {
			t.Errorf("%s caller: got %v, want −32602", name, got)
		}
	}
}

const jwtSecret = "a secret of the tests, which is long enough"

// token is a JWT that the program takes.
func token(t *testing.T, subject string) string {
	t.Helper()
	part := func(v any) string {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return base64.RawURLEncoding.EncodeToString(raw)
	}
	now := time.Now()
	signed := part(object{"alg": "HS256", "typ": "at+jwt"}) + "." + part(object{
		"iss": "https://id.example", "aud": "https://tools.example/mcp", "sub": subject,
		"iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	})
	mac := hmac.New(sha256.New, []byte(jwtSecret))
	mac.Write([]byte(signed))
	return signed + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}
