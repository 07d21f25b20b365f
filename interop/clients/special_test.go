package clients_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

// The scenarios that are more than a list of things to do.

// lists names what the client sees in all lists. The trigger of the subscription
// adds a tool and takes it away; it does not count.
func lists(ctx context.Context, s sessions) ([]string, error) {
	var out []string
	for _, kind := range []string{"tools", "prompts", "resources", "resourceTemplates"} {
		names, err := run(ctx, s, op{Do: doList, Name: kind})
		if err != nil {
			return out, err
		}
		names = slices.DeleteFunc(names, func(name string) bool { return name == "test_dynamic_tool" })
		out = append(out, kind+": "+strings.Join(names, " "))
	}
	return out, nil
}

// subscription watches a resource and changes it.
func subscription(ctx context.Context, s sessions) ([]string, error) {
	return watching(ctx, s, s.name, "updated interop://notes/"+s.name, call("interop_touch", args{"name": s.name}))
}

// listChanges watches the list of tools and changes it.
func listChanges(ctx context.Context, s sessions) ([]string, error) {
	return watching(ctx, s, s.name+"-2", "tools", call("test_trigger_tool_change", args{}))
}

func watching(ctx context.Context, s sessions, note, want string, change op) ([]string, error) {
	lines, err := run(ctx, s, op{Do: doWatch, Name: "interop://notes/" + note})
	if err != nil || len(lines) > 0 {
		return lines, err
	}
	lines, err = run(ctx, s, change, op{Do: doChanges, Name: want, Patience: s.patience.Milliseconds()})
	if err == nil && slices.Contains(lines, want) {
		return []string{seen}, nil
	}
	return lines, err
}

const (
	seen      = "seen"
	cancelled = "text cancelled"
)

// cancellation gives up a call that has begun, and looks what became of it.
func cancellation(ctx context.Context, s sessions) ([]string, error) {
	begun, cancel := context.WithCancel(ctx)
	defer cancel()
	ended := make(chan error, 1)
	go func() {
		work := call("interop_work", args{"name": s.name})
		work.GiveUp = true
		r, err := s.everything.do(begun, work)
		if err == nil && r.Error == nil {
			err = fmt.Errorf("a call that was given up has a result: %s", r.Result)
		}
		ended <- err
	}()
	watch := func(until string, patience time.Duration) (string, error) {
		return observed(ctx, s.url, "interop_watch", args{"name": s.name, "until": until, "patience": patience.Milliseconds()})
	}
	before, err := watch("running", timeout)
	if err != nil {
		return nil, err
	}
	cancel()
	if err := <-ended; err != nil {
		return nil, err
	}
	after, err := watch("cancelled", s.patience)
	if err != nil {
		return nil, err
	}
	_, err = observed(ctx, s.url, "interop_finish", args{"name": s.name}) // or the server waits for it when it ends
	return []string{before, after}, err
}

const mebibyte = 1 << 20

func bigAnswer(ctx context.Context, s sessions) ([]string, error) {
	lines, err := run(ctx, s, call("interop_big", args{"bytes": mebibyte}))
	for i, line := range lines {
		if text, ok := strings.CutPrefix(line, "text "); ok {
			lines[i] = fmt.Sprintf("text of %d bytes, SHA-256 %x", len(text), sha256.Sum256([]byte(text)))
		}
	}
	return lines, err
}

// bigHash is the hash of what interop_big returns.
func bigHash() string {
	var text strings.Builder
	for i := 0; text.Len() < mebibyte; i++ {
		fmt.Fprintf(&text, "line%123d\n", i)
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(text.String()[:mebibyte])))
}

// transferMoney sends money, and looks how often that was booked.
func transferMoney(ctx context.Context, s sessions) ([]string, error) {
	o := call("transfer", args{"to": "Bob", "amount": 1250})
	o.atBank = true
	lines, err := run(ctx, s, o)
	if err != nil {
		return lines, err
	}
	ledger := read("bank://ledger")
	ledger.atBank = true
	entries, err := run(ctx, s, ledger)
	booked := strings.Count(strings.Join(entries, ""), `\"to\":\"Bob\"`)
	return append(masked(lines, fees), fmt.Sprintf("booked %d times", booked)), err
}

// statement reads a resource that asks, of the month in which the money was sent.
func statement(ctx context.Context, s sessions) ([]string, error) {
	o := read("bank://statements/" + time.Now().UTC().Format("2006-01"))
	o.atBank = true
	lines, err := run(ctx, s, o)
	for i, line := range lines {
		if strings.HasPrefix(line, "bank://") {
			masked(lines[i:i+1], dates)
		}
	}
	return masked(lines, fees), err
}

// A mask hides what differs from one run to the next.
type mask struct {
	re   *regexp.Regexp
	with string
}

var fees = []mask{
	{regexp.MustCompile(`fee of [0-9.]+`), "fee of F"},
	{regexp.MustCompile(`\(fee [0-9.]+\)`), "(fee F)"},
	{regexp.MustCompile(`"fee":[0-9]+`), `"fee":F`},
	{regexp.MustCompile(`"number":"[0-9a-f]+"`), `"number":"N"`},
}

var dates = []mask{
	{regexp.MustCompile(`(Current|Savings) [0-9a-f]{8}\b`), "$1 N"},
	{regexp.MustCompile(`20\d\d-\d\d-\d\d\b`), "DATE"},
	{regexp.MustCompile(`20\d\d-\d\d\b`), "MONTH"},
}

func masked(lines []string, masks []mask) []string {
	for i := range lines {
		for _, m := range masks {
			lines[i] = m.re.ReplaceAllString(lines[i], m.with)
		}
	}
	return lines
}
