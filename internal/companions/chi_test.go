package companions_test

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
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
	logger := middleware.RequestLogger(&middleware.DefaultLogFormatter{Logger: &lines, NoColor: true})
	check(t, "Chi", []companions.Companion{
		{Name: "`Compress(5)`", Start: overChi(middleware.Compress(5)), Shows: companions.CompressesJSON},
		{
			Name:  "`Compress(5, \"application/json\", \"text/event-stream\")`",
			Start: overChi(middleware.Compress(5, "application/json", "text/event-stream")), Shows: companions.Compresses,
		},
		{Name: "`Timeout`, longer than any call", Start: overChi(middleware.Timeout(above))},
		{Name: "`Timeout`, shorter than a call", Start: overChi(middleware.Timeout(below))},
		{Name: "`Recoverer`", Start: overChi(middleware.Recoverer), Also: companions.Recovers},
		{Name: "`Logger`", Start: overChi(logger), Shows: lines.show},
		{Name: "`RequestID`", Start: overChi(middleware.RequestID, echoID), Shows: companions.Adds("X-Request-Id")},
		{Name: "`Throttle`", Start: overChi(middleware.Throttle(20))},
		{Name: "`NoCache`", Start: overChi(middleware.NoCache), Shows: replacesCacheControl},
		{Name: "CORS, as for net/http", Start: companions.OnNetHTTP(func(srv *server.Server) http.Handler {
			return onChi(allowing(companions.Origin, srv))(srv)
		}), Also: companions.Pages},
	})
}

// TestChiOrder registers what must keep off the path after the line.
func TestChiOrder(t *testing.T) {
	t.Parallel()
	works(t, companions.OnNetHTTP(func(srv *server.Server) http.Handler {
		r := chi.NewRouter()
		r.Use(mcpchi.Middleware(companions.Path, srv))
		r.Use(middleware.Timeout(below), tagging)
		r.Get(companions.Faulty, func(http.ResponseWriter, *http.Request) {})
		return r
	}))
}

func overChi(use ...func(http.Handler) http.Handler) companions.Start {
	return companions.OnNetHTTP(onChi(use...))
}

func onChi(use ...func(http.Handler) http.Handler) func(*server.Server) http.Handler {
	return func(srv *server.Server) http.Handler {
		r := chi.NewRouter()
		r.Use(use...)
		r.Use(mcpchi.Middleware(companions.Path, srv))
		r.Get(companions.Faulty, func(http.ResponseWriter, *http.Request) { panic("the application") })
		return r
	}
}

// replacesCacheControl tells that Chi's headers are there, and that the server's
// own have the last word.
func replacesCacheControl(r companions.Report) bool {
	return companions.Adds("Expires")(r) && slices.Equal(r.Event.Header["Cache-Control"], []string{"no-cache, no-transform"})
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

// Print is for Chi.
func (j *journal) Print(v ...any) { fmt.Fprint(j, v...) }

// show tells whether a request to the server was noted.
func (j *journal) show(companions.Report) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return bytes.Contains(j.text.Bytes(), []byte(companions.Path))
}
