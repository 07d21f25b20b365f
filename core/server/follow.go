package server

import (
	"context"
	"errors"
)

// follow derives a handler's context from that of its request. It brings the
// same values and ends with it, but where a framework says only that the
// request was cancelled, which is how net/http says that the client left, the
// cause is ErrClientGone.
func follow(request context.Context) (context.Context, context.CancelCauseFunc) {
	if request.Done() == nil {
		return context.WithCancelCause(request)
	}
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(request))
	stop := context.AfterFunc(request, func() {
		cause := context.Cause(request)
		if errors.Is(request.Err(), context.DeadlineExceeded) {
			return // ctx has the same deadline
		}
		if errors.Is(cause, context.Canceled) {
			cause = ErrClientGone
		}
		cancel(cause)
	})
	release := func() {}
	if deadline, ok := request.Deadline(); ok {
		ctx, release = context.WithDeadline(ctx, deadline)
	}
	return ctx, func(cause error) {
		stop()
		cancel(cause)
		release()
	}
}

// abandoned reports whether nobody waits for an answer any more. A deadline
// that the application set, or a cause of its own, ends the handler, but its
// client is still there.
func abandoned(ctx context.Context) bool {
	if ctx.Err() == nil {
		return false
	}
	cause := context.Cause(ctx)
	return errors.Is(cause, ErrClientGone) || errors.Is(cause, context.Canceled)
}
