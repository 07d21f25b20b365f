package adaptertest

import (
	"slices"
	"testing"

	"github.com/parleymcp/parley/core/server"
)

// fixture is one application with one server, shared by tests that do not
// disturb each other.
type fixture struct {
	*house
	factory Factory
	spec    Spec
	app     App
}

// strict is an application like f's whose framework allows no write after
// writeTimeout.
func (f *fixture) strict(t testing.TB, change func(*server.Config)) *fixture {
	t.Helper()
	spec := f.spec
	spec.WriteTimeout = writeTimeout
	return f.factory.fixture(t, spec, newHouse(t, change))
}

func (f Factory) fixture(t testing.TB, spec Spec, h *house) *fixture {
	t.Helper()
	spec.Server = h.server
	return &fixture{house: h, factory: f, spec: spec, app: f.start(t, spec)}
}

// test is one test of the suite.
type test struct {
	name string
	run  func(t *testing.T, f *fixture)
}

// shared tests run at the same time, on one application.
var shared = []test{
	{"JSON answer", testJSON},
	{"notification", testNotification},
	{"HTTP methods, T23", testMethods},
	{"body too large, T2", testTooLarge},
	{"exact path, T24", testPath},
	{"application untouched", testApplication},
	{"Origin and Host, T1", testOrigin},
	{"framework values, T21", testValues},
	{"consumed body, T22", testConsumed},
	{"deadline of the application", testDeadline},
	{"first event at once, T14", testFirstEvent},
	{"quiet call becomes a stream, T14", testQuiet},
	{"a thousand notifications, T15", testThousand},
	{"stream of two seconds, T13", testLongStream},
	{"JSON answer after a second, T13", testSlowJSON},
	{"connection after a stream, T13", testConnection},
	{"stalled reader, T13", testStalled},
	{"hook without a context, T21", testNoContext},
	{"deadline with a detached context", testDeadlineDetached},
	{"panic, T17 T16", testPanic},
	{"Goexit", testGoexit},
	{"question and answer, M20", testAsking},
	{"names of headers in any case", testHeaderCase},
	{"HTTP/1.0", testOldHTTP},
	{"storm, T24", testStorm},
	{"older revisions", testOlder},
	{"sessions and both eras, T33", testSession},
	{"stream of a session, T13 T14", testHear},
	{"subscribed resource", testSubscribed},
	{"rest of a stream", testResume},
	{"older call runs on, T12", testRunsOn},
	{"older call cancelled", testCancelled},
	{"deadline of an older call", testOlderDeadline},
	{"rest of a quiet stream", testQuietResumed},
	{"more than is kept", testEvicted},
	{"bridge, M19", testBridge},
	{"bridge of all kinds, M20", testBridgeKinds},
	{"bridge over a lost connection", testBridgeCut},
	{"bridge refuses, M19", testBridgeRefuses},
}

// alone tests measure time or count what is left over, or change their server:
// each has an application of its own, and nothing runs beside it.
var alone = []test{
	{"disconnect of a stream, T12", testDisconnectStream},
	{"disconnect of a call, T12", testDisconnectCall},
	{"disconnect with a detached context, T12", testDisconnectDetached},
	{"abandoned streams, T26", testAbandoned},
	{"listen under churn", testChurn},
	{"graceful shutdown, T18", testShutdown},
	{"request outlives connection, T24", testOutlives},
}

// once tests are like alone ones, but dear, and it does not matter to them how
// the server is mounted.
var once = []test{
	{"silent clients, M19", testParked},
	{"dirty disconnects, T26", testDirty},
}

// Run is the whole suite (T34: it uses real listeners throughout). Where its
// part that measures is over, the test becomes a parallel one.
func Run(t *testing.T, factory Factory) {
	for _, form := range []Form{Middleware, Handler} {
		spec := Spec{Form: form, WriteTimeout: lenient}
		for _, tt := range alone {
			t.Run(string(form)+"/"+tt.name, func(t *testing.T) {
				tt.run(t, &fixture{factory: factory, spec: spec})
			})
		}
	}
	for i, tt := range once {
		t.Run(tt.name, func(t *testing.T) {
			form := []Form{Middleware, Handler}[i%2]
			tt.run(t, &fixture{factory: factory, spec: Spec{Form: form, WriteTimeout: lenient}})
		})
	}
	t.Parallel()
	RunShared(t, factory)
}

// RunShared is the part of the suite that measures nothing: what is left to
// show where only the configuration of a framework differs. It returns before
// its tests, which run in parallel. The names of tests to leave out follow.
func RunShared(t *testing.T, factory Factory, except ...string) {
	for _, form := range []Form{Middleware, Handler} {
		t.Run(string(form), func(t *testing.T) {
			t.Parallel()
			f := factory.fixture(t, Spec{Form: form, WriteTimeout: lenient}, newHouse(t, nil))
			for _, tt := range shared {
				if slices.Contains(except, tt.name) {
					continue
				}
				t.Run(tt.name, func(t *testing.T) {
					t.Parallel()
					tt.run(t, f)
				})
			}
		})
	}
}
