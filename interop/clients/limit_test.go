package clients_test

import "slices"

// A limit is something that a client cannot do, or gets wrong.
type limit struct {
	client    string
	only      func(era) bool // nil: in all that it speaks
	scenarios []string
	got       []string // what comes of them; nil: there is no way to try
	why       string
	reproduce string // of a defect: what it takes, and what comes of it
}

// What some eras have in common.
func isModern(e era) bool    { return e.version == modern }
func isLegacy(e era) bool    { return e.version != modern }
func isAsking(e era) bool    { return isLegacy(e) && e.asks() }
func isRefused(e era) bool   { return !e.asks() }
func hasSession(e era) bool  { return isLegacy(e) && e.sessions }
func isStateless(e era) bool { return isLegacy(e) && !e.sessions }
func asks(e era) bool        { return e.asks() }

// in tells if it is so in an era.
func (l limit) in(e era) bool { return l.only == nil || l.only(e) }

func limitOf(client string, e era, scenario string) (limit, bool) {
	for _, l := range limits {
		if l.client == client && slices.Contains(l.scenarios, scenario) && l.in(e) {
			return l, true
		}
	}
	return limit{}, false
}
