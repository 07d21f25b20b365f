package companions_test

import (
	"bytes"
	"log"
	"net/http"
	"sync"
	"testing"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	mcpchi "github.com/parleymcp/parley/adapters/chi"
	"github.com/parleymcp/parley/core/server"
	"github.com/parleymcp/parley/internal/companions"
)

func TestChi(t *testing.T) {
	t.Parallel()
	var lines journal
	logger := middleware.RequestLogger(&middleware.DefaultLogFormatter{Logger: log.New(&lines, "", 0), NoColor: true})
	hold(t, "Chi", []companion{
		{name: "none", start: overChi()},
		{name: "`middleware.Compress(5)`", start: overChi(middleware.Compress(5)), shows: compressedJSON},
		{
			name:  "`middleware.Compress(5, \"application/json\", \"text/event-stream\")`",
			start: overChi(middleware.Compress(5, "application/json", "text/event-stream")), shows: compressed,
		},
		{name: "`middleware.Timeout` above all calls", start: overChi(middleware.Timeout(above))},
		{name: "`middleware.Timeout`", start: overChi(middleware.Timeout(below))},
		{name: "`middleware.Recoverer`", start: overChi(middleware.Recoverer), also: recovers},
		{name: "`middleware.Logger`", start: overChi(logger), shows: lines.show},
		{name: "`middleware.RequestID`", start: overChi(middleware.RequestID, echoID), shows: with("X-Request-Id")},
		{name: "`middleware.Throttle`", start: overChi(middleware.Throttle(20))},
		{name: "`middleware.NoCache`", start: overChi(middleware.NoCache), shows: with("Expires")},
		{name: "`middleware.RequestSize`", start: overChi(middleware.RequestSize(1 << 20))},
		{name: "CORS, by hand", start: companions.OnNetHTTP(func(srv *server.Server) http.Handler {
			return onChi(cors(companions.Origin, srv))(srv)
		}), also: pages},
	})
}

func overChi(use ...func(http.Handler) http.Handler) companions.Start {
	return companions.OnNetHTTP(onChi(use...))
}

func onChi(use ...func(http.Handler) http.Handler) func(*server.Server) http.Handler {
	return func(srv *server.Server) http.Handler {
		r := chi.NewRouter()
		r.Use(use...)
		r.Use(mcpchi.Middleware(companions.Path, srv))
		r.Get(faulty, func(http.ResponseWriter, *http.Request) { panic("the application") })
		return r
	}
}

// echoID shows the id that Chi has put into the context.
func echoID(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", middleware.GetReqID(r.Context()))
		next.ServeHTTP(w, r)
	})
}

// journal is where access logs write.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

// show tells whether a request to the server was noted.
func (j *journal) show(companions.Report) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return bytes.Contains(j.text.Bytes(), []byte(companions.Path))
}
