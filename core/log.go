package core

import (
	"log/slog"
	"slices"
	"time"

	"github.com/parleymcp/parley/core/protocol"
)

// Log sends a log message to the client, if it asked for that level. The levels
// of slog become those of the protocol; steps of 2 above Info and of 4 above
// Error are notice, critical, alert and emergency. Without args the message is
// the data; with args, pairs as in slog, the data is an object (MCP 2026-07-28,
// server/utilities/logging). It is for the client's eyes: nothing internal
// belongs there.
func (ev *Event) Log(level slog.Level, msg string, args ...any) {
	ev.mu.Lock()
	defer ev.mu.Unlock()
	name := protocolLevel(level)
	if ev.done || ev.call.Notifier == nil || ev.call.LogLevel == "" || levelRank(name) < levelRank(ev.call.LogLevel) {
		return
	}
	var data any = msg
	if len(args) > 0 {
		data = logData(msg, args)
	}
	ev.notify(protocol.NotificationMessage, &messageParams{Level: name, Data: data})
}

type messageParams struct {
	Level string `json:"level"`
	Data  any    `json:"data"`
}

func logData(msg string, args []any) map[string]any {
	record := slog.NewRecord(time.Time{}, 0, msg, 0)
	record.Add(args...)
	data := map[string]any{}
	record.Attrs(func(a slog.Attr) bool {
		data[a.Key] = attrValue(a.Value)
		return true
	})
	data["message"] = msg
	return data
}

func attrValue(v slog.Value) any {
	v = v.Resolve()
	if v.Kind() == slog.KindGroup {
		group := map[string]any{}
		for _, a := range v.Group() {
			group[a.Key] = attrValue(a.Value)
		}
		return group
	}
	if err, ok := v.Any().(error); ok {
		return err.Error()
	}
	switch v.Kind() {
	case slog.KindDuration, slog.KindTime:
		return v.String()
	}
	return v.Any()
}

func protocolLevel(level slog.Level) string {
	switch {
	case level < slog.LevelInfo:
		return "debug"
	case level < slog.LevelInfo+2:
		return "info"
	case level < slog.LevelWarn:
		return "notice"
	case level < slog.LevelError:
		return "warning"
	case level < slog.LevelError+4:
		return "error"
	case level < slog.LevelError+8:
		return "critical"
	case level < slog.LevelError+12:
		return "alert"
	}
	return "emergency"
}

func levelRank(name string) int { return slices.Index(protocol.LogLevels[:], name) }
