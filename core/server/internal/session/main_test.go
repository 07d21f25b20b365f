package session_test

import (
	"testing"

	"github.com/parleymcp/parley/internal/leak"
)

func TestMain(m *testing.M) { leak.Main(m) }
