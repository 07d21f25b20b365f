package core

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"net/url"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/schema"
)

// Consent is the answer to a URL ask. It carries nothing: accepted means that
// the user agreed to open the link, not that anything was done there. Whether
// it was, the handler finds out by itself on the next round.
type Consent struct{}

// URL asks the user to open a link (MCP 2026-07-28, client/elicitation, URL
// mode): the only way to ask for a secret. The link must be absolute, https
// unless it points to this machine, and without user info. Put nothing personal
// and no ready-made login into it: the client, and whoever reads its log, sees
// it. The page must check that its visitor is the user of the call, or one user
// can be made to finish another's: a [Page] does.
//
// A wrong link is reported by whatever uses the ask, since links are often
// made for a call.
func URL(key, message, link string) Ask[Consent] {
	return newAsk(question{
		key: key, method: protocol.MethodElicit, mode: modeURL, message: message, url: link,
		needs: needURL, mistake: checkLink(key, link),
	}, func([]byte) (Consent, *schema.Violation) {
		return Consent{}, nil
	}, func(Consent) (json.RawMessage, error) {
		return nil, nil
	})
}

func checkLink(key, link string) error {
	u, err := url.Parse(link)
	switch {
	case err != nil || u.Host == "":
		return fmt.Errorf("the link of the URL ask %q must be an absolute URL", key)
	case u.User != nil:
		return fmt.Errorf("the link of the URL ask %q must not carry user info", key)
	case u.Scheme == "https", u.Scheme == "http" && isLoopback(u.Hostname()):
		return nil
	}
	return fmt.Errorf("the link of the URL ask %q must be https, or http to this machine", key)
}

func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && addr.IsLoopback()
}
