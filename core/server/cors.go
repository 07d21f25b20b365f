package server

import "slices"

// RequestHeaders are the headers that a web page must be allowed to send, for
// the application's CORS middleware (Access-Control-Allow-Headers). They grow
// with the arguments that registered tools mirror into headers, and there is no
// wildcard for those: ask again after [Server.Add], or for each preflight. Some
// are sent by clients of older revisions too; a page that tries those first
// must be able to.
func (s *Server) RequestHeaders() []string {
	return slices.Concat([]string{
		"Accept", "Authorization", "Content-Type", "Last-Event-ID",
		"Mcp-Method", "Mcp-Name", "MCP-Protocol-Version", "Mcp-Session-Id",
	}, s.registry.Load().paramHeaders)
}

// ResponseHeaders are the headers that a web page must be allowed to read, for
// the application's CORS middleware (Access-Control-Expose-Headers).
func (s *Server) ResponseHeaders() []string {
	return []string{"Mcp-Session-Id", "WWW-Authenticate"}
}
