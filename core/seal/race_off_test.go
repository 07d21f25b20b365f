//go:build !race

package seal_test

const (
	raceEnabled = false
	allocSlack  = 0
	timeSlack   = 1
)
