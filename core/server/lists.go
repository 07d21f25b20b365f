package server

import (
	"context"
	"encoding/base64"
	"slices"
	"strconv"
	"sync/atomic"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/server/internal/envelope"
	"github.com/parleymcp/parley/internal/jsonx"
)

// list is the features of one kind in the order of their registration.
type list struct {
	entries []*entry
	size    int  // of a page; at least 1
	scoped  bool // an entry needs scopes, so pages are the caller's

	// pages are the members of the results that start at a whole page, for
	// 2026-07-28 and for older revisions, encoded when they are first asked for.
	// Only those are kept: cursors are the client's, and there is one for every
	// entry.
	pages, older []atomic.Pointer[[]byte]
}

func newList(entries []*entry, pageSize int) *list {
	l := &list{entries: entries, size: pageSize}
	l.scoped = slices.ContainsFunc(entries, func(e *entry) bool { return len(e.Scopes) > 0 })
	if l.size == 0 {
		l.size = max(len(entries), 1)
	}
	count := max(len(entries)+l.size-1, 1)/l.size + 1
	l.pages, l.older = make([]atomic.Pointer[[]byte], count), make([]atomic.Pointer[[]byte], count)
	return l
}

// after is the index of the first entry behind a serial. The entry with that
// serial may be gone.
func (l *list) after(serial uint64) int {
	low, high := 0, len(l.entries)
	for low < high {
		if mid := (low + high) / 2; l.entries[mid].serial <= serial {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low
}

// listed answers tools/list and its like (MCP 2026-07-28,
// server/utilities/pagination). member is the result's that holds the list.
func (x *exchange) listed(ctx context.Context, kind core.Kind, member string) *Response {
	l := x.snap.lists[kind]
	start := 0
	if raw := x.msg.Params.Get(envelope.ParamCursor); raw != nil {
		text, ok := envelope.Text(raw)
		if !ok {
			return x.refuse(ctx, refuseCursorType)
		}
		serial, ok := parseCursor(kind, text)
		if !ok || serial >= x.snap.next {
			return x.refuse(ctx, refuseCursor)
		}
		start = l.after(serial)
	}
	return x.reply(x.encoder().result(x.msg.ID, x.page(l, kind, member, start)))
}

// page is the members of the result whose first entry is at start.
func (x *exchange) page(l *list, kind core.Kind, member string, start int) []byte {
	if x.srv.cfg.Visible != nil || l.scoped || start%l.size != 0 {
		return x.encodePage(l, kind, member, start)
	}
	slot := &l.pages[start/l.size]
	if x.legacy {
		slot = &l.older[start/l.size]
	}
	if kept := slot.Load(); kept != nil {
		return *kept
	}
	page := x.encodePage(l, kind, member, start)
	slot.Store(&page)
	return page
}

func (x *exchange) encodePage(l *list, kind core.Kind, member string, start int) []byte {
	page := append(append(make([]byte, 0, 256), '"'), member...)
	page = append(page, `":[`...)
	n := 0
	var last uint64
	for _, e := range l.entries[start:] {
		if !x.sees(e) || !x.granted(e) {
			continue
		}
		if n == l.size {
			page = jsonx.AppendString(append(page, `],"nextCursor":`...), formatCursor(kind, last))
			return x.listHint(append(page, ','))
		}
		if n > 0 {
			page = append(page, ',')
		}
		if x.legacy {
			page = append(page, e.older...)
		} else {
			page = append(page, e.encoded...)
		}
		last = e.serial
		n++
	}
	return x.listHint(append(page, `],`...))
}

func (x *exchange) listHint(members []byte) []byte {
	if x.legacy {
		return members
	}
	return x.srv.listHint(members)
}

func (s *Server) listHint(members []byte) []byte {
	return appendHint(members, core.CacheHint{TTL: s.cfg.ListTTL, Public: s.cfg.DangerouslyPublicLists})
}

// A cursor names the last entry of a page by its serial, so it holds whatever
// is added or removed behind it, and on every instance that registers the same
// features in the same order. The kind keeps the cursors of one list from
// another.
func formatCursor(kind core.Kind, serial uint64) string {
	raw := strconv.AppendUint([]byte{'a' + byte(kind)}, serial, 10)
	return base64.RawURLEncoding.EncodeToString(raw)
}

func parseCursor(kind core.Kind, cursor string) (serial uint64, ok bool) {
	if len(cursor) > 32 {
		return 0, false
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) < 2 {
		return 0, false
	}
	serial, err = strconv.ParseUint(string(raw[1:]), 10, 64)
	return serial, err == nil && formatCursor(kind, serial) == cursor
}
