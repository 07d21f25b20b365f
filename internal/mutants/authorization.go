package main

// The packages whose tests must notice.
var (
	inServer = []string{"./core/server"}
	inHub    = []string{"./core/server/internal/hub"}
	inJWT    = []string{"./jwtbind"}
	inBank   = []string{"./examples/bank"}
)

// authorization are the checks of basic/authorization, and of pages that know for
// whom they were opened.
var authorization = []mutant{
	{"auth", "a caller has a name", "core/server/caller.go", "case !id.Valid():", "case false:", inServer},
	{"auth", "an identity ends", "core/server/caller.go", "!time.Now().Before(id.Expires):", "time.Now().IsZero():", inServer},
	{"auth", "every scope is needed", "core/server/caller.go", "\t\t\treturn false\n", "", inServer},
	{"auth", "scopes to use", "core/server/caller.go", "\tif x.granted(e) {\n\t\treturn nil\n", "\tif true {\n\t\treturn nil\n", inServer},
	{"auth", "scopes to see", "core/server/lists.go", " || !x.granted(e) {", " {", inServer},
	{"auth", "scopes to complete", "core/server/complete.go", " || !x.granted(e) {", " {", inServer},
	{"auth", "scopes to subscribe", "core/server/listen.go", " || !x.granted(e)\n", "\n", inServer},
	{"auth", "pages are the caller's", "core/server/lists.go", " || l.scoped ||", " ||", inServer},
	{"auth", "all scopes in a challenge", "core/server/caller.go", `strings.Join(needed, " ")`, "needed[0]", inServer},
	{"auth", "400 for a malformed header", "core/server/caller.go", "\t\treturn c.malformed\n", "\t\treturn c.invalid\n", inServer},
	{"auth", "no error without a token", "core/server/caller.go", "errors.Is(err, core.ErrNoCredentials), ", "", []string{"./internal/jwtrecipes"}},
	{"auth", "an error with a token", "core/server/caller.go", `x.req.Header.Get("Authorization") == ""`, "true", inServer},
	{"auth", "metadata before the origin", "core/server/handle.go", "if resp := x.describe(ctx); resp != nil {\n\t\treturn resp\n\t}\n\tif resp := x.checkOrigin(ctx); resp != nil {", "if resp := x.checkOrigin(ctx); resp != nil {\n\t\treturn resp\n\t}\n\tif resp := x.describe(ctx); resp != nil {", inServer},
	{"auth", "metadata for any page", "core/server/resource.go", `{"Content-Type", "application/json"}, {"Access-Control-Allow-Origin", "*"},`, `{"Content-Type", "application/json"},`, inServer},
	{"auth", "a URL fits into a header", "core/server/resource.go", `strings.Trim(raw, allowed) == "" && `, "", inServer},
	{"auth", "a URL has no slash at the end", "core/server/resource.go", ` || strings.HasSuffix(r.URL, "/")`, "", inServer},
	{"auth", "a URL is https", "core/server/resource.go", ` && (u.Scheme != "http" || !loopback(u.Hostname()))`, ` && u.Scheme != "http"`, inServer},
	{"auth", "scopes fit into a header", "core/server/resource.go", "!core.ValidScope(s) || ", "core.ValidScope(\"\") || ", inServer},
	{"auth", "scopes need an authenticator", "core/server/registry.go", "\tcase nil:\n\t\terrs = append(errs, ", "\tcase nil:\n\t\t_ = append(errs, ", inServer},
	{"auth", "scopes keep lists private", "core/server/registry.go", "if s.cfg.DangerouslyPublicLists {", "if false {", inServer},
	{"auth", "a resource needs an authenticator", "core/server/validate.go", "c.Resource != nil && c.Authenticator == nil", "false", inServer},
	{"auth", "a nil function is no authenticator", "core/server/validate.go", "ok && f == nil", "ok && false", inServer},
	{"auth", "a stream ends in time", "core/server/internal/hub/hub.go", "s.timer = time.AfterFunc(max(left, 0), s.ring)", "", inHub},
	{"auth", "a stream that has ended hears nothing", "core/server/internal/hub/subscription.go", "!s.until.IsZero() && !time.Now().Before(s.until)", "false", inHub},
	{"auth", "the end of an identity has the leeway", "jwtbind/claims.go", "Expires: end,", "Expires: end.Add(-p.leeway),", inJWT},
	{"auth", "scopes of RFC 6749", "core/identity.go", ` || c == '"' || c == '\\'`, "", inCore},
	{"auth", "a public resource has no scopes", "core/option.go", "if d.cache.Public && len(d.scopes) > 0 {", "if false {", inCore},
	{"auth", "nobody was handed over", "core/identity.go", "\tif !ok {\n\t\treturn Identity{}, ErrNoCredentials\n\t}\n", "\t_ = ok\n", inCore},
	{"auth", "a fingerprint keeps parts apart", "core/principal.go", "mac.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))", "_ = binary.BigEndian", inCore},
	{"auth", "a fingerprint has a key", "core/principal.go", "hmac.New(sha256.New, fingerprintKey())", "hmac.New(sha256.New, fingerprintKey()[:0])", inCore},
	{"auth", "the log says who", "core/event.go", "if !ev.call.Principal.IsAnonymous() {", "if false {", inCore},

	{"page", "bound to the subject", "core/page.go", "[]byte(who.Subject), ", "", inCore},
	{"page", "bound to the issuer", "core/page.go", "{[]byte(who.Issuer), ", "{", inCore},
	{"page", "bound to the tenant", "core/page.go", ", []byte(who.Tenant)}", "}", inCore},
	{"page", "a visitor has a name", "core/page.go", "if who.anonymous || !who.Valid() {", "if false {", inCore},
	{"page", "bound to the server", "core/page.go", "h.Keys.Codec(p.purpose(), h.Audience)", `h.Keys.Codec(p.purpose(), "coretest")`, inCore},
	{"page", "short-lived", "core/page.go", "const linkTTL = 10 * time.Minute", "const linkTTL = 11 * time.Minute", inCore},
	{"page", "not longer than a round", "core/page.go", "ttl = min(ttl, ev.host.RoundTTL)", "", inCore},
	{"page", "one question, whatever its token", "core/journal.go", "if q.lasting != nil {", "if false {", inCore},
	{"page", "another question with other data", "core/page.go", `append([]byte(link+"\x00"), raw...)`, `[]byte(link+"\x00")`, inCore},
	{"page", "no fragment", "core/page.go", ` || u.Fragment != ""`, "", inCore},
	{"page", "consent is not done", "examples/bank/connect.go", "if s.connections.has(ev.Flow()) {", "if ev.Round() > 1 {", inBank},
}
