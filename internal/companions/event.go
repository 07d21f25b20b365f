package companions

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/parleymcp/parley/internal/jsonx"
	"github.com/parleymcp/parley/internal/wireschema"
)

// message is the part of a JSON-RPC message that is looked at.
type message struct {
	Method string `json:"method"`
	Params struct {
		Progress float64 `json:"progress"`
	} `json:"params"`
	Result *struct {
		ResultType string `json:"resultType"`
		IsError    bool   `json:"isError"`
		Content    []struct {
			Text string `json:"text"`
		} `json:"content"`
	} `json:"result"`
	Error *struct {
		Code int `json:"code"`
	} `json:"error"`
}

// text is the text of a tool's result.
func (m message) text() string {
	if m.Result == nil || m.Result.IsError || len(m.Result.Content) != 1 {
		return ""
	}
	return m.Result.Content[0].Text
}

func (m message) code() int {
	if m.Error == nil {
		return 0
	}
	return m.Error.Code
}

func (m message) String() string {
	raw, err := jsonx.Marshal(m)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// events reads an event stream as it comes.
type events struct {
	method string // of the request
	r      *bufio.Reader
}

func newEvents(method string, r io.Reader) *events { return &events{method, bufio.NewReader(r)} }

// next is the next message. The error is io.EOF at a clean end between two
// events, and another one where the stream broke off.
func (e *events) next() (message, error) {
	var m message
	for {
		line, err := e.r.ReadString('\n')
		switch {
		case errors.Is(err, io.EOF) && line == "":
			return m, io.EOF
		case errors.Is(err, io.EOF):
			return m, fmt.Errorf("reading an event: %w", io.ErrUnexpectedEOF)
		case err != nil:
			return m, fmt.Errorf("reading an event: %w", err)
		}
		if data, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "data: "); ok {
			// Events of the server have one line of data.
			return m, errors.Join(jsonx.Unmarshal([]byte(data), &m), wireschema.Check(e.method, []byte(data)))
		}
	}
}
