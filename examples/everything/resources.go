package main

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

var resources = []core.Feature{
	core.NewResource("test://static-text", "Static text",
		func(context.Context, *core.Event) (string, error) {
			return "This is the content of the static text resource.", nil
		}, core.Description("A text that never changes.")),
	core.NewResource("test://static-binary", "Static binary",
		func(context.Context, *core.Event) ([]byte, error) {
			return pixel, nil
		}, core.Description("A picture that never changes."), core.MIMEType("image/png")),
	core.NewTemplate("test://template/{id}/data", "Data of an id",
		func(_ context.Context, _ *core.Event, vars templateVars) (templateData, error) {
			return templateData{ID: vars.ID, TemplateTest: true, Data: "Data for ID: " + vars.ID}, nil
		}, core.Description("What there is to an id.")),
}

type templateVars struct {
	ID string `json:"id"`
}

type templateData struct {
	ID           string `json:"id"`
	TemplateTest bool   `json:"templateTest"`
	Data         string `json:"data"`
}

// watchedResource changes by itself, for clients that subscribe to it.
type watchedResource struct{ changes atomic.Int64 }

const watchedURI = "test://watched-resource"

func (w *watchedResource) feature() core.Feature {
	return core.NewResource(watchedURI, "Watched resource",
		func(context.Context, *core.Event) (string, error) {
			return fmt.Sprintf("Changed %d times.", w.changes.Load()), nil
		}, core.Description("A text that changes every 3 seconds."))
}

// change changes the resource, and says so, until ctx is done.
func (w *watchedResource) change(ctx context.Context, srv *server.Server) {
	ticker := time.NewTicker(3 * time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			w.changes.Add(1)
			srv.ResourceUpdated(watchedURI)
		}
	}
}
