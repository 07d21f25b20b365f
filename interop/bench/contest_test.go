package bench_test

import (
	"testing"

	"github.com/parleymcp/parley/interop/contest"
)

// Everybody who is measured gives the right answer to what he is measured at.
func TestContestants(t *testing.T) {
	for _, c := range []contest.Call{
		contest.Small(), contest.Ten(), contest.Structured(), contest.List(10),
		contest.Sized("ascii", 1<<10), contest.Sized("accents", 1<<10), contest.Sized("tree", 1<<10), contest.Sized("raw", 1<<10),
		contest.Interim(), contest.Retry(), contest.ThirdRound(), contest.Legacy(),
	} {
		for _, framework := range contest.Frameworks {
			for _, name := range []string{contest.Raw, contest.Plain, contest.Parley, contest.GoSDK, contest.MCPGo} {
				e, ok := contest.Contestant(name, framework, &c)
				if !ok || name == contest.GoSDK || name == contest.MCPGo {
					continue // the others have their tools, but do not know all that is asked
				}
				d := contest.NewDriver(e, &c)
				for range 3 {
					if err := d.Check(); err != nil {
						t.Errorf("%s on %s, %s: %v", name, framework, c.Name, err)
					}
				}
			}
		}
	}
	for _, c := range []contest.Call{contest.Small(), contest.Ten(), contest.Structured(), contest.List(10)} {
		for _, name := range []string{contest.GoSDK, contest.MCPGo} {
			e, _ := contest.Contestant(name, "net/http", &c)
			if err := contest.NewDriver(e, &c).Check(); err != nil {
				t.Errorf("%s, %s: %v", name, c.Name, err)
			}
		}
	}
}
