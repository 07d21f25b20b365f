package protocol

import "encoding/json"

// Empty is the object {} by which a capability is declared.
type Empty struct{}

// ClientCapabilities are what a client declared on this request. A nil member
// was not declared; a value that is no JSON object declares nothing.
type ClientCapabilities struct {
	Elicitation  *ElicitationCapability     `json:"elicitation,omitzero"`
	Sampling     *SamplingCapability        `json:"sampling,omitzero"`
	Roots        *Empty                     `json:"roots,omitzero"`
	Extensions   map[string]json.RawMessage `json:"extensions,omitempty"`
	Experimental map[string]json.RawMessage `json:"experimental,omitempty"`
}

// ElicitationCapability names the modes. With neither, form is meant.
type ElicitationCapability struct {
	Form *Empty `json:"form,omitzero"`
	URL  *Empty `json:"url,omitzero"`
}

// SamplingCapability names what beyond plain sampling a client can do.
type SamplingCapability struct {
	Context *Empty `json:"context,omitzero"`
	Tools   *Empty `json:"tools,omitzero"`
}

// ServerCapabilities are advertised exactly when they are served.
type ServerCapabilities struct {
	Tools       *ListCapability            `json:"tools,omitzero"`
	Prompts     *ListCapability            `json:"prompts,omitzero"`
	Resources   *ListCapability            `json:"resources,omitzero"`
	Completions *Empty                     `json:"completions,omitzero"`
	Logging     *Empty                     `json:"logging,omitzero"`
	Extensions  map[string]json.RawMessage `json:"extensions,omitempty"`
}

// ListCapability says whether changes of a list, and of single resources, are
// announced. Subscribe belongs to resources only.
type ListCapability struct {
	ListChanged bool `json:"listChanged,omitzero"`
	Subscribe   bool `json:"subscribe,omitzero"`
}
