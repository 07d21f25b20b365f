package core

import (
	"fmt"
	"reflect"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/schema"
)

// Form asks the user to fill in a form (MCP 2026-07-28, client/elicitation).
// The fields of T are its fields: string, integer, float and boolean types,
// time.Time, and strings or slices of strings tagged enum; a pointer or
// omitempty makes one optional. Tags title, description, default, minimum,
// maximum, minLength, maxLength, minItems, maxItems, format (email, uri, date,
// date-time), enum and enumTitles say the rest; enum:"*" takes its choices from
// [Ask.Choices]. default is what the client shows first; it is not filled in.
// Form panics if T is no flat form, naming every wrong field.
//
// Never ask for a secret by form: what is typed passes through the client. Use
// [URL].
func Form[T any](key, message string) Ask[T] {
	form, err := schema.NewForm(reflect.TypeFor[T]())
	if err != nil {
		panic(fmt.Sprintf("parley: the form %q: %v", key, err))
	}
	s := spec[T]{}
	s.useForm(form)
	return newAsk(question{
		key: key, method: protocol.MethodElicit, mode: modeForm, message: message, schema: form,
		needs: needForm,
	}, s.decode, s.encode)
}

var (
	needForm = ClientCapabilities{Elicitation: &protocol.ElicitationCapability{Form: &protocol.Empty{}}}
	needURL  = ClientCapabilities{Elicitation: &protocol.ElicitationCapability{URL: &protocol.Empty{}}}
)

// Choice is one option of a list: what is sent back, and what the user reads.
type Choice struct {
	Value string
	Title string // empty: the value
}

func wireChoices(choices []Choice) []schema.Choice {
	out := make([]schema.Choice, len(choices))
	for i, c := range choices {
		out[i] = schema.Choice(c)
	}
	return out
}
