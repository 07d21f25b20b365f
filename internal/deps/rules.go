package deps

const (
	chi           = "github.com/go-chi/chi"
	gin           = "github.com/gin-gonic/gin"
	fiber         = "github.com/gofiber/fiber"
	fasthttp      = "github.com/valyala/fasthttp"
	jwt           = "github.com/golang-jwt/jwt"
	jsonLibrary   = "github.com/go-json-experiment/json"
	schemaLibrary = "github.com/google/jsonschema-go"
	uriTemplate   = "github.com/yosida95/uritemplate"
)

// An area is a package of ours, or a whole tree with the suffix "/...".
type area = string

// thirdParty says what an area may import of others, in its tests as well.
// What is not listed imports none.
var thirdParty = map[area][]string{
	"core":                {uriTemplate},
	"internal/jsonx":      {jsonLibrary},
	"internal/schema":     {schemaLibrary},
	"internal/wireschema": {schemaLibrary},
	"adapters/chi":        {chi},
	"adapters/gin":        {gin},
	"adapters/fiber":      {fiber},
	"internal/fasthttpio": {fasthttp},
	"jwtbind":             {jwt},
}

// freeAreas import of others what they need: no application links them.
var freeAreas = []area{"examples/...", "internal/adaptertest/..."}

// importers are the packages that nobody else imports, whatever else he is free to.
var importers = map[string][]area{
	jsonLibrary:   {"internal/jsonx"},
	schemaLibrary: {"internal/schema", "internal/wireschema"},
}

// testsOnly are packages of ours that nothing but _test.go files import, and
// the suites that are made of tests.
var (
	testsOnly = []area{"internal/wireschema"}
	testSuite = []area{"internal/adaptertest", "internal/companions"}
)

// frameworks are told apart by their first package; the others come with it.
var frameworks = [][]string{{chi}, {gin}, {fiber, fasthttp}}

// standardLibraryOnly are the areas that import nothing else, not even of ours.
var standardLibraryOnly = []area{"core/seal", "core/replay"}

// testHelpers are the areas that may import testing outside of _test.go files.
// (Fiber links it all the same: that is why it is no wall.)
var testHelpers = []area{"core/coretest/...", "internal/adaptertest/..."}

// A wall stands between areas and what they never reach, by whatever detour.
type wall struct {
	from, except []area
	never        []string // of ours or of others
	reason       string
}

var walls = []wall{
	{
		from:   []area{"core/..."},
		except: []area{"core/server/..."},
		never:  []string{"core/server", "adapters", "internal/nethttp", "internal/fasthttpio", "jwtbind"},
		reason: "core knows no HTTP and nothing that serves it",
	},
	{
		from:   []area{"core/server/..."},
		never:  []string{"adapters", "internal/nethttp", "internal/fasthttpio", "jwtbind"},
		reason: "adapters import server, never the other way round",
	},
	{
		from:   []area{"jwtbind/..."},
		never:  []string{"core/server", "adapters", "internal/nethttp", "internal/fasthttpio"},
		reason: "jwtbind imports core only",
	},
	{
		from:   []area{"core/...", "adapters/stdlib/...", "internal/nethttp/..."},
		never:  []string{chi, gin, fiber, fasthttp, jwt},
		reason: "who uses net/http pays for no framework and no JWT library",
	},
	{
		from:   []area{"..."},
		except: testHelpers,
		never:  []string{"core/coretest", "internal/adaptertest", "internal/companions", "internal/oauthtest"},
		reason: "no application links what helps tests",
	},
}
