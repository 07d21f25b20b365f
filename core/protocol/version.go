package protocol

// Revisions of the protocol, by date. They compare as strings.
const (
	Version20250326 = "2025-03-26"
	Version20250618 = "2025-06-18"
	Version20251125 = "2025-11-25"
	Version20260728 = "2026-07-28"

	// FirstModern is the first stateless revision: no handshake, every request
	// carries its version and capabilities in _meta.
	FirstModern = Version20260728
)
