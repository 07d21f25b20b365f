package peer

// Secret is what the tool that panics panics with; no client may see it.
const Secret = "the password is swordfish"

// The arguments of the tools, for libraries that take Go types.
type (
	// Echoed are the arguments and the result of probe_echo.
	Echoed struct {
		Text string   `json:"text"`
		N    int64    `json:"n,omitempty"`
		Tags []string `json:"tags,omitempty"`
	}
	// Count are the arguments of probe_count.
	Count struct {
		N int `json:"n"`
	}
	// Panic are the arguments of probe_panic.
	Panic struct {
		Stream bool `json:"stream,omitempty"`
	}
	// Wait are the arguments of probe_wait and probe_ended.
	Wait struct {
		ID           string `json:"id"`
		Milliseconds int    `json:"milliseconds,omitempty"`
		Every        int    `json:"every,omitempty"`
	}
	// Region are the arguments of probe_region.
	Region struct {
		Region string `json:"region,omitempty"`
	}
	// Transfer are the arguments of probe_transfer.
	Transfer struct {
		To    string `json:"to"`
		Cents int64  `json:"cents"`
	}
)

// RegionSchema is the input schema of probe_region.
const RegionSchema = `{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}`

// WhoSchema is the form that probe_ask asks to be filled in.
const WhoSchema = `{"type":"object","properties":{"name":{"type":"string","minLength":1},"age":{"type":"integer"}},"required":["name"]}`

// SureSchema is the form that probe_transfer asks to be filled in.
const SureSchema = `{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`

// NextLink is the question that probe_chain asks next, going by its state;
// "" after the third.
func NextLink(state string) string {
	switch state {
	case "next=second", "answered=first":
		return "second"
	case "next=third", "answered=second":
		return "third"
	case "answered=third":
		return ""
	default:
		return "first"
	}
}
