package adaptertest

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server"
)

// testEvicted comes back for a stream of which more is said than is kept: who
// reads while it is said gets all of it, without holes, and who comes later is
// told that it is gone.
func testEvicted(t *testing.T, f *fixture) {
	f = f.sessions(t, func(c *server.Config) { c.Legacy.EventBuffer = 8 << 10 })
	o := f.begin(t, protocol.Version20251125, "ada")
	for _, late := range []bool{false, true} {
		id := fmt.Sprint(t.Name(), late)
		cut := o.start(t.Context(), o.tool("chatter", object{"id": id}))
		o.must(cut)
		cut.close()
		held := f.holds.get(id)
		if late {
			close(held.release)
			wait(t, held.ended, "the call ends")
			if a := o.do(o.get(t.Context(), cut.id)); a.status != http.StatusBadRequest {
				t.Errorf("after %s: status %d, body %.200s", cut.id, a.status, a.body)
			}
			continue
		}
		s := o.listen(t.Context(), cut.id)
		close(held.release)
		before := cut.id
		for m := (message{}); m.Result == nil; before = s.id {
			if m = o.must(s); s.id != following(before) {
				t.Fatalf("event %s follows %s", s.id, before)
			}
		}
		o.end(s)
	}
}

// following is the id of the event after another.
func following(id string) string {
	stream, number, _ := strings.Cut(id, "-")
	n, _ := strconv.Atoi(number)
	return stream + "-" + strconv.Itoa(n+1)
}
