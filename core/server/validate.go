package server

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/parleymcp/parley/core"
)

// check reports everything that is wrong with c at once.
func (c *Config) check() error {
	var errs []error
	bad := func(field string, value any, allowed string) {
		errs = append(errs, fmt.Errorf("parley: Config.%s is %#v: %s", field, value, allowed))
	}
	if strings.TrimSpace(c.Name) == "" {
		bad("Name", c.Name, "a name is required")
	}
	if strings.TrimSpace(c.Version) == "" {
		bad("Version", c.Version, "a version is required")
	}
	if c.WebsiteURL != "" && !absoluteURL(c.WebsiteURL, "https", "http") {
		bad("WebsiteURL", c.WebsiteURL, "an absolute http or https URL is allowed")
	}
	for i, icon := range c.Icons {
		if err := core.CheckIcon(icon); err != nil {
			errs = append(errs, fmt.Errorf("parley: Config.Icons[%d]: %w", i, err))
		}
	}
	notNegative := func(field string, value int64) {
		if value < 0 {
			bad(field, value, "0 or more is allowed")
		}
	}
	notNegative("MaxBody", c.MaxBody)
	notNegative("MaxListens", int64(c.MaxListens))
	notNegative("PageSize", int64(c.PageSize))
	if c.MaxRounds < 0 || c.MaxRounds > 65_535 {
		bad("MaxRounds", c.MaxRounds, "0 to 65535 is allowed")
	}
	notPast := func(field string, value time.Duration) {
		if value < 0 {
			bad(field, value.String(), "0 or more is allowed")
		}
	}
	notPast("KeepAlive", c.KeepAlive)
	notPast("WriteTimeout", c.WriteTimeout)
	notPast("ListTTL", c.ListTTL)
	notPast("RoundTTL", c.RoundTTL)
	notPast("FlowTTL", c.FlowTTL)
	if flow := cmp.Or(c.FlowTTL, defaultFlowTTL); flow > 0 && c.RoundTTL > flow {
		bad("RoundTTL", c.RoundTTL.String(), "at most FlowTTL ("+flow.String()+") is allowed")
	}
	if c.DangerouslyPublicLists && c.Visible != nil {
		bad("DangerouslyPublicLists", true, "only false is allowed with Visible: such lists are not for everybody")
	}
	errs = append(errs, c.Legacy.check())
	return errors.Join(errs...)
}

// withDefaults returns a checked c with every default in its place.
func (c Config) withDefaults() Config {
	c.Audience = cmp.Or(c.Audience, c.Name)
	c.MaxBody = cmp.Or(c.MaxBody, defaultMaxBody)
	c.KeepAlive = cmp.Or(c.KeepAlive, defaultKeepAlive)
	c.WriteTimeout = cmp.Or(c.WriteTimeout, defaultWriteTimeout)
	c.MaxListens = cmp.Or(c.MaxListens, defaultMaxListens)
	c.FlowTTL = cmp.Or(c.FlowTTL, defaultFlowTTL)
	c.RoundTTL = cmp.Or(c.RoundTTL, min(defaultRoundTTL, c.FlowTTL))
	c.MaxRounds = cmp.Or(c.MaxRounds, defaultMaxRounds)
	c.Legacy = c.Legacy.withDefaults()
	return c
}

func absoluteURL(raw string, schemes ...string) bool {
	u, err := url.Parse(raw)
	return err == nil && u.Host != "" && slices.Contains(schemes, u.Scheme)
}
