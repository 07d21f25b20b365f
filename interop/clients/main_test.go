package clients_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/parleymcp/parley/internal/leak"
)

func TestMain(m *testing.M) { leak.Main(built{m}) }

// scratch is a folder of all tests, gone afterwards.
var scratch string

// built builds the servers before the tests run.
type built struct{ *testing.M }

func (b built) Run() int {
	var err error
	if scratch, err = os.MkdirTemp("", "clients"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	if err := build(scratch); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	code := b.M.Run()
	if err := stopDrivers(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	return code
}
