package main

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/coretest"
)

// feature is the one of that name.
func feature(l *ledger, name string) core.Feature {
	for _, f := range features(l, nil) {
		if f.Name() == name {
			return f
		}
	}
	return nil
}

func TestStatements(t *testing.T) {
	l := newLedger()
	if _, err := coretest.Call(t, l.transferTool(), rent, pays(l, "Savings")...); err != nil {
		t.Fatal(err)
	}
	now := month{l.entries[0].Time.Format(monthLayout)}
	of := func(label string) []coretest.Option {
		return []coretest.Option{coretest.As(alice), coretest.Accept(askStatement, l.labelled(label))}
	}
	prompt := feature(l, "statement").(*core.Prompt[month, string])
	template := feature(l, "bank://statements/{month}")

	for label, booked := range map[string]bool{"Savings": true, "Current": false} {
		got, err := coretest.Get(t, prompt, now, of(label)...)
		if err != nil || strings.Contains(got.Messages[0].Content.Text, `500.00 (fee`) != booked {
			t.Errorf("the prompt for %s: got %+v, %v", label, got, err)
		}
		read, err := coretest.Read(t, template, "bank://statements/"+now.Month, of(label)...)
		if err != nil || strings.Contains(read.Contents[0].Text, `500.00 (fee`) != booked {
			t.Errorf("the resource for %s: got %+v, %v", label, read, err)
		}
	}
	before := month{l.entries[0].Time.AddDate(0, -1, -3).Format(monthLayout)}
	if got, err := coretest.Get(t, prompt, before, of("Savings")...); err != nil || strings.Contains(got.Messages[0].Content.Text, "fee") {
		t.Errorf("another month: got %+v, %v", got, err)
	}
}

func TestStatementsRefuse(t *testing.T) {
	l := newLedger()
	for _, bad := range []string{"", "2026", "2026-13", "2026-1", "../2026-01", time.Now().Format(time.DateOnly)} {
		prompt := feature(l, "statement").(*core.Prompt[month, string])
		_, err := coretest.Get(t, prompt, month{bad}, coretest.As(alice))
		if wire, ok := errors.AsType[*core.Error](err); !ok || wire.Code != -32602 {
			t.Errorf("the prompt for %q: got %v, want −32602", bad, err)
		}
		if bad == "" || strings.Contains(bad, "/") {
			continue // no URI of the template
		}
		_, err = coretest.Read(t, feature(l, "bank://statements/{month}"), "bank://statements/"+bad, coretest.As(alice))
		if wire, ok := errors.AsType[*core.Error](err); !ok || wire.Message != "Resource not found" {
			t.Errorf("the resource for %q: got %v, want that it is not found", bad, err)
		}
	}
}
