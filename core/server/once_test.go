package server_test

import (
	"context"
	"reflect"
	"strconv"
	"sync/atomic"
	"testing"

	"github.com/parleymcp/parley/core"
)

// described is the input and the output of a tool.
type described struct {
	Text string `json:"text"`
}

// T27: a handler runs once for a request, whether it is answered as JSON or as a
// stream, and nothing is derived from its types again.
func TestT27OncePerRequest(t *testing.T) {
	var ran atomic.Int32
	tool := core.NewTool("once", "Counts.", func(_ context.Context, ev *core.Event, in described) (described, error) {
		ran.Add(1)
		ev.Progress(1, 1, "")
		return in, nil
	})
	url := start(t, nil, tool)
	streamed := call("once", `{"text":"x"}`)
	streamed.meta = metaWith(`{}`, `"progressToken":1`)
	for i, a := range []ask{call("once", `{"text":"x"}`), streamed} {
		tell(t, url, a)
		if n := ran.Load(); n != int32(i+1) {
			t.Fatalf("%d runs after %d calls", n, i+1)
		}
	}
	if a, b := core.Info(tool).Definition, core.Info(tool).Definition; !reflect.DeepEqual(a, b) || a != b {
		t.Fatal("a definition is made anew")
	}
}

// T27: what a list costs does not grow with what is in it: it was encoded when
// the features were registered.
func TestT27ListsAreEncodedOnce(t *testing.T) {
	cost := map[int]float64{}
	for _, n := range []int{10, 1000} {
		srv, o := newServer(t, nil, numbered(0, n)...), newOne(t, ask{method: "tools/list"})
		cost[n] = testing.AllocsPerRun(20, func() { o.serve(t, srv) })
	}
	if cost[1000] > cost[10]+2 {
		t.Fatalf("allocations by number of tools: %v", cost)
	}
	t.Log("allocations by number of tools: " + strconv.FormatFloat(cost[10], 'f', -1, 64))
}
