package protocol

// Roles of a message.
const (
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// PromptMessage is one message of a prompts/get result.
type PromptMessage struct {
	Role    string  `json:"role"`
	Content Content `json:"content"`
}
