// Package npm installs what a package-lock.json of ours pins, for the tests
// that drive programs of others: the official conformance runner, and clients
// written in JavaScript. It starts none of them.
package npm
