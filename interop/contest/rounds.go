package contest

import "encoding/json"

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

// Asked is what a call is told that was answered with a question.
type Asked struct {
	Result struct {
		State string `json:"requestState"`
	} `json:"result"`
}

// next is the call that answers what c asked under key.
func next(c Call, key string) Call {
	var told Asked
	if err := json.Unmarshal(sample(&c), &told); err != nil {
		panic("contest: " + err.Error())
	}
	return Answering(c, key, told)
}

// Answering is the call that answers what c was told.
func Answering(c Call, key string, told Asked) Call {
	return toolCall(c.Name, c.Header.Get("Mcp-Name"),
		`{"text":"hello"},"inputResponses":{"`+key+`":{"action":"accept","content":{"name":"Ada"}}},`+
			`"requestState":"`+told.Result.State+`"`)
}
