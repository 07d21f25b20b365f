// Package leak fails the tests of a package that leave a goroutine behind. It
// is for TestMain and nothing else.
package leak
