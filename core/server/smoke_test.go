package server_test

import (
	"testing"
)

func TestSmoke(t *testing.T) {
	url := start(t, nil, echoTool)
	a := tell(t, url, call("echo", `{"text":"hi"}`))
	t.Log(a.status, a.body)
	a = tell(t, url, ask{method: "tools/list"})
	t.Log(a.status, a.body)
	a = tell(t, url, ask{method: "server/discover"})
	t.Log(a.status, a.body)
}
