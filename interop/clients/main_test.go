package clients_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/parleymcp/parley/internal/leak"
)

func TestMain(m *testing.M) { leak.Main(tests{m}) }

// scratch is a folder of all tests, gone afterwards.
var scratch string

// tests clean up after themselves before goroutines are counted.
type tests struct{ *testing.M }

func (m tests) Run() int {
	var err error
	if scratch, err = os.MkdirTemp("", "clients"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	if err := flag.Set("test.parallel", "4"); err != nil { // clients wait more than they work
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := m.M.Run()
	if err := stopDrivers(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	return code
}
