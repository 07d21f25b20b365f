// Package legacy writes today's messages in the forms that clients of the
// revisions before 2026-07-28 know: questions, results of tools and their
// schemas.
//
// What does not live here: sessions (internal/session), and which client is
// asked what (core/server).
package legacy
