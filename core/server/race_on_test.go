//go:build race

package server_test

// raceEnabled: what is measured in bytes is the race detector's as well.
const raceEnabled = true
