package companions_test

import (
	"compress/gzip"
	"fmt"
	"hash/fnv"
	"net/http"
	"strings"
)

// What follows are the writers that applications on net/http put between a
// handler and the client, right and wrong.

// writingRecorder is what access logs wrap a writer in. Only three methods are
// seen through it.
type writingRecorder struct {
	w      http.ResponseWriter
	status int
}

func (r *writingRecorder) Header() http.Header         { return r.w.Header() }
func (r *writingRecorder) Write(p []byte) (int, error) { return r.w.Write(p) }

func (r *writingRecorder) WriteHeader(status int) {
	r.status = status
	r.w.WriteHeader(status)
}

// flushingRecorder flushes and hides everything else, deadlines among it.
type flushingRecorder struct{ writingRecorder }

func (r *flushingRecorder) Flush() { _ = http.NewResponseController(r.w).Flush() }

// recorder is right.
type recorder struct{ writingRecorder }

func (r *recorder) Unwrap() http.ResponseWriter { return r.w }

// recording is an access log without the log. A header shows that it was there.
func recording(wrap func(http.ResponseWriter) http.ResponseWriter) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Recorded", "1")
			next.ServeHTTP(wrap(w), r)
		})
	}
}

func onlyWriting(w http.ResponseWriter) http.ResponseWriter {
	return &writingRecorder{w: w}
}

func flushing(w http.ResponseWriter) http.ResponseWriter {
	return &flushingRecorder{writingRecorder{w: w}}
}

func unwrapping(w http.ResponseWriter) http.ResponseWriter {
	return &recorder{writingRecorder{w: w}}
}

// zipper compresses what is written through it.
type zipper struct {
	w  http.ResponseWriter
	zw *gzip.Writer
}

func (z *zipper) Header() http.Header         { return z.w.Header() }
func (z *zipper) Write(p []byte) (int, error) { return z.zw.Write(p) }

func (z *zipper) WriteHeader(status int) {
	z.Header().Set("Content-Encoding", "gzip")
	z.Header().Del("Content-Length")
	z.w.WriteHeader(status)
}

// flushingZipper flushes and hides everything else, deadlines among it.
type flushingZipper struct{ zipper }

func (z *flushingZipper) Flush() {
	_ = z.zw.Flush()
	_ = http.NewResponseController(z.w).Flush()
}

// unwrappingZipper is right.
type unwrappingZipper struct{ flushingZipper }

func (z *unwrappingZipper) Unwrap() http.ResponseWriter { return z.w }

// zipping compresses for those who accept it.
func zipping(wrap func(http.ResponseWriter, *gzip.Writer) http.ResponseWriter) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
				next.ServeHTTP(w, r)
				return
			}
			zw := gzip.NewWriter(w)
			next.ServeHTTP(wrap(w, zw), r)
			_ = zw.Close()
		})
	}
}

func flushingGzip(w http.ResponseWriter, zw *gzip.Writer) http.ResponseWriter {
	return &flushingZipper{zipper{w, zw}}
}

func unwrappingGzip(w http.ResponseWriter, zw *gzip.Writer) http.ResponseWriter {
	return &unwrappingZipper{flushingZipper{zipper{w, zw}}}
}

// buffer keeps an answer until it is whole.
type buffer struct {
	header http.Header
	status int
	body   []byte
}

func (b *buffer) Header() http.Header    { return b.header }
func (b *buffer) WriteHeader(status int) { b.status = status }

func (b *buffer) Write(p []byte) (int, error) {
	b.body = append(b.body, p...)
	return len(p), nil
}

// tagging gives every answer an ETag, for which it has to see the whole of it.
func tagging(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b := &buffer{header: w.Header(), status: http.StatusOK}
		next.ServeHTTP(b, r)
		sum := fnv.New64a()
		_, _ = sum.Write(b.body)
		w.Header().Set("Etag", fmt.Sprintf(`"%x"`, sum.Sum64()))
		w.WriteHeader(b.status)
		_, _ = w.Write(b.body)
	})
}
