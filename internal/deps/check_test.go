package deps_test

import (
	"strings"
	"testing"

	"github.com/parleymcp/parley/internal/deps"
)

const (
	chi         = "github.com/go-chi/chi/v5"
	gin         = "github.com/gin-gonic/gin"
	fiber       = "github.com/gofiber/fiber/v2"
	fasthttp    = "github.com/valyala/fasthttp"
	jwt         = "github.com/golang-jwt/jwt/v5"
	jsonLibrary = "github.com/go-json-experiment/json/jsontext"
	schemaLib   = "github.com/google/jsonschema-go/jsonschema"
	uriTemplate = "github.com/yosida95/uritemplate/v3"
)

// pkg is a package of ours.
func pkg(rel string, imports ...string) deps.Package {
	return deps.Package{ImportPath: module + "/" + rel, Imports: imports}
}

// tested gives a package tests that import.
func tested(p deps.Package, imports ...string) deps.Package {
	p.XTestImports = imports
	return p
}

// other is a package of somebody else.
func other(path string, imports ...string) deps.Package {
	return deps.Package{ImportPath: path, Imports: imports}
}

// ours is the import path of a package of ours.
func ours(rel string) string { return module + "/" + rel }

func TestCheckFindsNothingInTheHouseAsDesigned(t *testing.T) {
	got := deps.Check(module, []deps.Package{
		tested(pkg("core", ours("core/seal"), ours("core/replay"), ours("core/protocol"), ours("internal/jsonx"), ours("internal/schema"), uriTemplate),
			"testing", ours("core/server")),
		pkg("core/coretest", "testing", ours("core")),
		pkg("core/protocol", "encoding/json"),
		pkg("core/replay", "sync"),
		tested(pkg("core/seal", "crypto/hmac"), "testing", ours("core/seal")),
		tested(pkg("core/server", ours("core"), ours("core/server/internal/stream"), "net/url"), ours("internal/wireschema")),
		pkg("core/server/internal/stream", "io"),
		pkg("internal/jsonx", jsonLibrary),
		tested(pkg("internal/schema", schemaLib), "testing", "github.com/santhosh-tekuri/jsonschema/v6"),
		tested(pkg("internal/wireschema", schemaLib), "testing", ours("internal/wireschema")),
		pkg("internal/nethttp", "net/http", ours("core/server")),
		pkg("internal/adaptertest", "testing", chi, gin, fiber, ours("core/server")),
		tested(pkg("internal/conformance"), "testing"),
		pkg("adapters/stdlib", ours("internal/nethttp")),
		tested(pkg("adapters/chi", ours("internal/nethttp")), "testing", chi),
		pkg("adapters/gin", ours("internal/nethttp"), gin),
		pkg("internal/fasthttpio", ours("core/server"), fasthttp),
		pkg("adapters/fiber", ours("core/server"), ours("internal/fasthttpio"), fiber),
		pkg("jwtbind", ours("core"), jwt),
		pkg("examples/everything", ours("adapters/gin"), ours("adapters/fiber"), ours("jwtbind"), gin, fiber, jwt),
		other(fiber, fasthttp, "testing"),
	})
	for _, breach := range got {
		t.Error(breach)
	}
}

func TestCheckFinds(t *testing.T) {
	tests := map[string]struct {
		packages []deps.Package
		want     []string // one part of each breach, in order
	}{
		"core imports server": {
			[]deps.Package{pkg("core", ours("core/server"))},
			[]string{"core -> core/server: core knows no HTTP"},
		},
		"core reaches server by a detour": {
			[]deps.Package{pkg("core/coretest", ours("internal/x")), pkg("internal/x", ours("core/server/internal/y"))},
			[]string{"core/coretest -> internal/x -> core/server/internal/y: core knows no HTTP"},
		},
		"server imports an adapter": {
			[]deps.Package{pkg("core/server", ours("adapters/stdlib"))},
			[]string{"core/server -> adapters/stdlib: adapters import server"},
		},
		"jwtbind imports server": {
			[]deps.Package{pkg("jwtbind", ours("core/server"))},
			[]string{"jwtbind -> core/server: jwtbind imports core only"},
		},
		"server imports JWT": {
			[]deps.Package{pkg("core/server", jwt)},
			[]string{"core/server -> " + jwt + ": who uses net/http", "core/server imports " + jwt + ": it may not"},
		},
		"stdlib adapter reaches a framework": {
			[]deps.Package{pkg("adapters/stdlib", ours("internal/nethttp")), pkg("internal/nethttp", ours("adapters/gin")), pkg("adapters/gin", gin)},
			[]string{"adapters/stdlib -> internal/nethttp -> adapters/gin -> " + gin, "internal/nethttp -> adapters/gin -> " + gin},
		},
		"adapter reaches two frameworks": {
			[]deps.Package{pkg("adapters/gin", gin, ours("adapters/chi")), pkg("adapters/chi", chi)},
			[]string{"adapters/gin links github.com/go-chi/chi and " + gin + ": an adapter has one framework"},
		},
		"adapter imports another framework": {
			[]deps.Package{pkg("adapters/chi", gin)},
			[]string{"adapters/chi imports " + gin + ": it may not"},
		},
		"library imports testing": {
			[]deps.Package{pkg("core/server", "testing/fstest"), other("testing/fstest", "testing")},
			[]string{"core/server imports testing/fstest: only core/coretest"},
		},
		"library links coretest": {
			[]deps.Package{pkg("core/coretest", "testing"), pkg("jwtbind", ours("core/coretest"))},
			[]string{"jwtbind -> core/coretest: no application links"},
		},
		"seal imports ours": {
			[]deps.Package{pkg("core/seal", ours("internal/jsonx"))},
			[]string{"core/seal imports " + ours("internal/jsonx") + ": it may import the standard library only"},
		},
		"replay imports of others": {
			[]deps.Package{pkg("core/replay", uriTemplate)},
			[]string{"core/replay imports " + uriTemplate + ": it may import the standard", "core/replay imports " + uriTemplate + ": it may not"},
		},
		"JSON library outside jsonx": {
			[]deps.Package{pkg("core", jsonLibrary)},
			[]string{"core imports " + jsonLibrary + ": it may not", "core imports " + jsonLibrary + ": only internal/jsonx may"},
		},
		"JSON library in a test of internal": {
			[]deps.Package{tested(pkg("internal/schema"), jsonLibrary)},
			[]string{"internal/schema imports " + jsonLibrary + ": only internal/jsonx may"},
		},
		"schema library in the test suite": {
			[]deps.Package{pkg("internal/adaptertest", schemaLib)},
			[]string{"internal/adaptertest imports " + schemaLib + ": only internal/schema and internal/wireschema may"},
		},
		"other libraries of the wire's schema": {
			[]deps.Package{pkg("internal/wireschema", schemaLib, uriTemplate)},
			[]string{"internal/wireschema imports " + uriTemplate + ": it may not"},
		},
		"library links the wire's schema": {
			[]deps.Package{pkg("core/server", ours("internal/wireschema")), pkg("internal/wireschema", schemaLib)},
			[]string{"core/server imports internal/wireschema: only tests may"},
		},
		"test helper links the wire's schema": {
			[]deps.Package{pkg("internal/nethttp", ours("internal/wireschema"))},
			[]string{"internal/nethttp imports internal/wireschema: only tests may"},
		},
		"third party in a test outside internal": {
			[]deps.Package{tested(pkg("core"), "github.com/stretchr/testify/assert")},
			[]string{"core imports github.com/stretchr/testify/assert: it may not"},
		},
		"third party of the parent package": {
			[]deps.Package{pkg("core/protocol", uriTemplate)},
			[]string{"core/protocol imports " + uriTemplate + ": it may not"},
		},
		"third party in the package of the module itself": {
			[]deps.Package{other(module, gin)},
			[]string{"imports " + gin + ": it may not"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := deps.Check(module, tt.packages)
			if len(got) != len(tt.want) {
				t.Fatalf("got %d breaches, want %d:\n%s", len(got), len(tt.want), strings.Join(got, "\n"))
			}
			for i, want := range tt.want {
				if !strings.Contains(got[i], want) {
					t.Errorf("got %q, want %q in it", got[i], want)
				}
			}
		})
	}
}
