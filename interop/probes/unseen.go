package probes

// Hidden is a row that cannot be seen from outside.
type Hidden struct{ Rows, Why string }

// Unseen are the rows without a probe.
var Unseen = []Hidden{ //nolint:gochecknoglobals // a table
	{"T19", "which writers can flush is a matter of the middleware inside the process"},
	{"T20", "CORS is the application's; that its list is complete is shown with the server's own list of headers"},
	{"T21, T22", "values and bodies of other middleware exist inside the process only"},
	{"T25", "middleware that buffers is not a part of any of these servers"},
	{"T26", "goroutines and buffers that are left behind are counted inside the process"},
	{"T27", "how often a factory runs, and when a schema is derived, is seen by counting inside the process"},
	{"T34", "it is about tests, not about servers"},
	{"M10, M11", "they need callers who log in, and the fixture has none; the example bank has, and its tests show them"},
	{"M13", "keys are checked when a server is made"},
	{"M15, M17", "they need a replay store that fails and a handler that rewords its questions: tests of package core and of the bank"},
	{"M21", "it is about results that middleware inside the process changes"},
	{"M22", "it needs several mounts in one application: a test of examples/shared-tools"},
}
