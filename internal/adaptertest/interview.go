package adaptertest

import (
	"context"
	"strings"

	"github.com/parleymcp/parley/core"
)

var (
	askGiven  = core.Form[name]("given", "Your given name?")
	askFamily = core.Form[name]("family", "Your family name?")
	askTown   = core.Form[name]("town", "Where do you live?")
)

// interviewTool asks two questions at once and then a third. Its server counts
// how often it has run.
func (h *house) interviewTool() core.Feature {
	return core.NewTool("interview", "Asks for three things.",
		func(_ context.Context, ev *core.Event, _ core.NoInput) (string, error) {
			h.runs.Add(1)
			var given, family name
			if err := core.RequireAll(ev, askGiven.Into(&given), askFamily.Into(&family)); err != nil {
				return "", err
			}
			town, err := askTown.Require(ev)
			if err != nil {
				return "", err
			}
			return given.Name + " " + family.Name + " of " + town.Name, nil
		})
}

// chatterTool says little, and much when it is let go.
func (h *house) chatterTool() core.Feature {
	return core.NewTool("chatter", "Says more than is kept.",
		func(_ context.Context, ev *core.Event, in holdInput) (string, error) {
			held := h.holds.get(in.ID)
			defer close(held.ended)
			ev.Progress(1, 0, "")
			<-held.release
			message := strings.Repeat("x", 1<<10)
			for i := range 2000 {
				ev.Progress(float64(i+2), 0, message)
			}
			return "said", nil
		})
}
