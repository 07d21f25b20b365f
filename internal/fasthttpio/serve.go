package fasthttpio

import (
	"context"

	"github.com/valyala/fasthttp"

	"github.com/parleymcp/parley/core/server"
)

// Serve answers one request with srv. ctx brings the handler's values; native
// is not used after Serve has returned, except for its connection.
func Serve(ctx context.Context, srv *server.Server, native *fasthttp.RequestCtx) {
	req := request(native)
	resp := srv.Handle(ctx, req)
	if body, ok := req.Body.(*streamedBody); ok && !body.drained() {
		native.SetConnectionClose()
	}
	respond(native, resp)
}
