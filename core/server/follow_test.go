package server_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server"
)

type followKey struct{}

// The context of a handler ends with its request, whichever way it is asked,
// and whether anybody has waited for it before or not.
func TestHandlerContext(t *testing.T) {
	boom := errors.New("boom")
	for name, tc := range map[string]struct {
		end        func(cancel context.CancelCauseFunc)
		err, cause error
	}{
		"the client leaves":       {func(c context.CancelCauseFunc) { c(nil) }, context.Canceled, server.ErrClientGone},
		"the application ends it": {func(c context.CancelCauseFunc) { c(boom) }, context.Canceled, boom},
		"its deadline passes":     {func(context.CancelCauseFunc) { <-time.After(time.Hour) }, context.DeadlineExceeded, context.DeadlineExceeded},
		"nothing":                 {func(context.CancelCauseFunc) {}, nil, nil},
	} {
		for _, before := range []string{"nobody", "waits", "child", "value"} {
			t.Run(name+", "+before, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					request, cancel := context.WithCancelCause(context.WithValue(t.Context(), followKey{}, "kept"))
					defer cancel(nil)
					request, release := context.WithTimeout(request, time.Minute)
					defer release()
					var handler context.Context
					tool := core.NewTool("echo", "", func(ctx context.Context, _ *core.Event, _ core.NoInput) (string, error) {
						handler = ctx
						asked, stop := ctx, func() {}
						switch before {
						case "waits":
							_ = ctx.Done()
						case "child":
							asked, stop = context.WithCancel(ctx)
						case "value":
							asked = context.WithValue(ctx, followKey{}, "kept")
						}
						defer stop()
						tc.end(cancel)
						synctest.Wait()                                                          // what follows the request is told in a goroutine
						if asked.Err() != tc.err || !errors.Is(context.Cause(asked), tc.cause) { //nolint:errorlint // contexts return these two as they are
							t.Errorf("%v, cause %v", asked.Err(), context.Cause(asked))
						}
						if isDone(asked) != (tc.err != nil) {
							t.Errorf("Done is closed: %v", isDone(asked))
						}
						if asked.Value(followKey{}) != "kept" {
							t.Error("the values are gone")
						}
						if _, ok := ctx.Deadline(); !ok {
							t.Error("the deadline is gone")
						}
						return "", nil
					})
					o := newOne(t, call("echo", `{}`))
					newServer(t, nil, tool).Handle(request, &o.req)
					want := tc.err
					if want == nil {
						want = context.Canceled // the call is over
					}
					if handler.Err() != want || !isDone(handler) { //nolint:errorlint // as above
						t.Errorf("after the call: %v", handler.Err())
					}
				})
			})
		}
	}
}

func isDone(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return true
	default:
		return false
	}
}
