package bench_test

import (
	"testing"

	"github.com/parleymcp/parley/internal/leak"
)

func TestMain(m *testing.M) {
	leak.Main(reporting{m})
}
