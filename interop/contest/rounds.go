package contest

import (
	"encoding/json"
	"strings"
)

// Interim is a call that is answered with a question and sealed state.
func Interim() Call {
	c := toolCall("interim result with state", "asking", `{"text":"hello"}`)
	c.Want = `"requestState":"`
	return c
}

// Retry brings the answer and the state of [Interim].
func Retry() Call {
	c := next(Interim(), "name")
	c.Name, c.Want = "retry with state", `hello, Ada`
	return c
}

// ThirdRound brings the third answer of a flow, with the journal of the first
// two.
func ThirdRound() Call {
	c := toolCall("third round of a flow", "flow", `{"text":"hello"}`)
	for _, key := range []string{"name", "colour", "size"} {
		c = next(c, key)
	}
	c.Name, c.Want = "third round of a flow", `hello, AdaAdaAda`
	return c
}

// next is the call that answers what c asked under key.
func next(c Call, key string) Call {
	var told struct {
		Result struct {
			State string `json:"requestState"`
		} `json:"result"`
	}
	if err := json.Unmarshal(sample(&c), &told); err != nil {
		panic("contest: " + err.Error())
	}
	name := c.Header.Get("Mcp-Name")
	return toolCall(c.Name, name, `{"text":"hello"},"inputResponses":{"`+key+`":{"action":"accept","content":{"name":"Ada"}}},`+
		`"requestState":"`+strings.TrimSpace(told.Result.State)+`"`)
}
