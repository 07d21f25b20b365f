//go:build race

package seal_test

// Under the race detector sync.Pool drops what it is given at random and all
// Go code runs many times slower, so limits on allocations and time are wider.
const (
	raceEnabled = true
	allocSlack  = 24
	timeSlack   = 60
)
