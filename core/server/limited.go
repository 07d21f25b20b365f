package server

import (
	"context"
	"log/slog"
)

// limited is the log of the handlers' host: what core refuses, anybody can
// make it refuse again, so its records with a reason are limited like those of
// the server's own refusals.
type limited struct {
	slog.Handler

	notices *noticer
}

// Handle writes the record, or counts it as suppressed.
func (h *limited) Handle(ctx context.Context, r slog.Record) error {
	reason := ""
	r.Attrs(func(a slog.Attr) bool {
		if a.Key == "reason" {
			reason = a.Value.String()
		}
		return reason == ""
	})
	if reason != "" {
		suppressed, ok := h.notices.take(reason)
		if !ok {
			return nil
		}
		if suppressed > 0 {
			r.AddAttrs(slog.Int("suppressed", suppressed))
		}
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs keeps the limit.
func (h *limited) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &limited{Handler: h.Handler.WithAttrs(attrs), notices: h.notices}
}

// WithGroup keeps the limit.
func (h *limited) WithGroup(name string) slog.Handler {
	return &limited{Handler: h.Handler.WithGroup(name), notices: h.notices}
}
