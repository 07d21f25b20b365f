package main

import (
	"slices"

	"github.com/parleymcp/parley/core"
)

// features are all but the trigger tools, which need the server. The order is
// that of the lists. The runner calls the first tool without arguments and
// expects no JSON-RPC error, and reads the first resource.
func features(watched *watchedResource) []core.Feature {
	return slices.Concat(
		contentTools, schemaTools, askingTools, diagnosticTools, legacyTools,
		prompts, resources, []core.Feature{watched.feature()},
	)
}
