// Package oauth lets the TypeScript SDK find out by itself where tokens for a
// server come from: from the challenge of a 401 and the metadata behind it, by
// way of an authorization server, to a call that needs more than the first token
// had.
package oauth
