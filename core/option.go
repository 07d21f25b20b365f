package core

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/parleymcp/parley/core/protocol"
)

// FeatureOption says more about a tool, prompt, resource or template. What is
// wrong with one comes back from the registration, with everything else that
// is.
type FeatureOption func(*definition)

// definition collects what a feature's constructor and options say.
type definition struct {
	kind        Kind
	name        string
	title       string
	description string
	mimeType    string
	icons       []Icon
	hints       *protocol.ToolAnnotations
	annotations *Annotations
	size        *int64
	input       json.RawMessage
	output      json.RawMessage
	completers  map[string]completer
	meta        map[string]any
	cache       CacheHint
	scopes      []string
	problems    []error
}

func define(kind Kind, name, description string, opts []FeatureOption) *definition {
	d := &definition{kind: kind, name: name, description: description}
	for _, opt := range opts {
		opt(d)
	}
	if d.cache.Public && len(d.scopes) > 0 {
		d.problem("CachePublic does not go together with Scopes: such contents are not for everybody")
	}
	return d
}

func (d *definition) problem(format string, args ...any) {
	d.problems = append(d.problems, fmt.Errorf("parley: %s %q: %w", d.kind, d.name, fmt.Errorf(format, args...)))
}

// only records an option that means nothing for this kind of feature.
func (d *definition) only(option string, kinds ...Kind) {
	if !slices.Contains(kinds, d.kind) {
		d.problem("the option %s does not apply to a %s", option, d.kind)
	}
}

// Title is a name for people to read (MCP 2026-07-28, basic: BaseMetadata).
func Title(title string) FeatureOption {
	return func(d *definition) { d.title = title }
}

// Description says what a resource or template holds; tools and prompts have
// theirs as an argument.
func Description(text string) FeatureOption {
	return func(d *definition) {
		d.only("Description", KindResource, KindTemplate)
		d.description = text
	}
}

// Icons are pictures that a client may show. Src must be an https, http or data
// URI, Theme light, dark or empty (MCP 2026-07-28, basic: Icons).
func Icons(icons ...Icon) FeatureOption {
	return func(d *definition) {
		for _, icon := range icons {
			if err := CheckIcon(icon); err != nil {
				d.problem("%w", err)
			}
		}
		d.icons = slices.Clone(icons)
	}
}

func (d *definition) hint(option string) *protocol.ToolAnnotations {
	d.only(option, KindTool)
	if d.hints == nil {
		d.hints = &protocol.ToolAnnotations{}
	}
	return d.hints
}

// ReadOnly hints that a tool changes nothing (readOnlyHint; default false).
// Hints help a client to decide how much to ask its user; they protect nothing
// (MCP 2026-07-28, server/tools: tool annotations).
func ReadOnly() FeatureOption {
	return func(d *definition) { d.hint("ReadOnly").ReadOnlyHint = new(true) }
}

// Destructive hints that a tool may destroy (destructiveHint true, which is
// also what clients assume).
func Destructive() FeatureOption {
	return func(d *definition) { d.hint("Destructive").DestructiveHint = new(true) }
}

// Additive hints that a tool only ever adds (destructiveHint false).
func Additive() FeatureOption {
	return func(d *definition) { d.hint("Additive").DestructiveHint = new(false) }
}

// Idempotent hints that calling a tool again with the same arguments changes
// nothing more (idempotentHint; default false).
func Idempotent() FeatureOption {
	return func(d *definition) { d.hint("Idempotent").IdempotentHint = new(true) }
}

// ClosedWorld hints that a tool reaches nothing outside the server
// (openWorldHint false; default true).
func ClosedWorld() FeatureOption {
	return func(d *definition) { d.hint("ClosedWorld").OpenWorldHint = new(false) }
}

// MIMEType is the type of a resource's or template's contents.
func MIMEType(mimeType string) FeatureOption {
	return func(d *definition) {
		d.only("MIMEType", KindResource, KindTemplate)
		d.mimeType = mimeType
	}
}

// Size is the size of a resource's contents in bytes.
func Size(bytes int64) FeatureOption {
	return func(d *definition) {
		d.only("Size", KindResource)
		if bytes < 0 {
			d.problem("Size is %d, allowed are 0 and more", bytes)
		}
		d.size = &bytes
	}
}

// Annotate says whom a resource is for and how much it matters. Audience holds
// "user" and "assistant", Priority is 0 to 1.
func Annotate(a Annotations) FeatureOption {
	return func(d *definition) {
		d.only("Annotate", KindResource, KindTemplate)
		for _, who := range a.Audience {
			if who != RoleUser && who != RoleAssistant {
				d.problem("Annotate has the audience %q, allowed are %s and %s", who, RoleUser, RoleAssistant)
			}
		}
		if p := a.Priority; p != nil && !(*p >= 0 && *p <= 1) {
			d.problem("Annotate has the priority %v, allowed is 0 to 1", *p)
		}
		d.annotations = &a
	}
}

// Meta adds a member to the definition's _meta. Keys have the form
// prefix/name; a prefix whose second label is mcp or modelcontextprotocol is
// reserved (MCP 2026-07-28, basic: _meta).
func Meta(key string, value any) FeatureOption {
	return func(d *definition) {
		if err := checkMetaKey(key); err != nil {
			d.problem("%w", err)
			return
		}
		d.meta = maps.Clone(d.meta)
		if d.meta == nil {
			d.meta = map[string]any{}
		}
		d.meta[key] = value
	}
}

// CacheTTL is how long a client may keep the contents of a resource, and that
// by this caller only; the default is 0. A read that asked its user something
// is never kept. It is sent in whole milliseconds.
func CacheTTL(ttl time.Duration) FeatureOption {
	return func(d *definition) {
		d.only("CacheTTL", KindResource, KindTemplate)
		if ttl < 0 {
			d.problem("CacheTTL is %v, allowed are 0 and more", ttl)
		}
		d.cache.TTL = ttl
	}
}

// CachePublic lets one caller's copy of a resource be given to another. It is
// only for contents that are the same for everybody.
func CachePublic() FeatureOption {
	return func(d *definition) {
		d.only("CachePublic", KindResource, KindTemplate)
		d.cache.Public = true
	}
}

// InputSchema replaces the schema inferred from a tool's input type, for types
// that have none: recursive ones, own unmarshalers. JSON Schema 2020-12 unless
// $schema names draft-07; the root must be an object, $ref stay inside.
func InputSchema(schema json.RawMessage) FeatureOption {
	return func(d *definition) {
		d.only("InputSchema", KindTool)
		d.input = schema
	}
}

// OutputSchema replaces the schema inferred from a tool's result type, or gives
// one to a tool that returns *[ToolResult].
func OutputSchema(schema json.RawMessage) FeatureOption {
	return func(d *definition) {
		d.only("OutputSchema", KindTool)
		d.output = schema
	}
}

// Complete proposes values for a prompt's argument or a template's variable
// (MCP 2026-07-28, server/utilities/completion). prefix is what the user has
// typed, the event's arguments are those already chosen. At most 100 values are
// sent.
func Complete(argument string, f func(ctx context.Context, ev *Event, prefix string) ([]string, error)) FeatureOption {
	return func(d *definition) {
		d.only("Complete", KindPrompt, KindTemplate)
		if f == nil {
			d.problem("the completer of %q is nil", argument)
			return
		}
		if d.completers == nil {
			d.completers = map[string]completer{}
		}
		d.completers[argument] = f
	}
}

// checkCompleters refuses completers of arguments that do not exist.
func (d *definition) checkCompleters(arguments []string) {
	for _, name := range slices.Sorted(maps.Keys(d.completers)) {
		if !slices.Contains(arguments, name) {
			d.problem("a completer for %q, which is no argument; there are %q", name, arguments)
		}
	}
}

func (d *definition) completes() []string { return slices.Sorted(maps.Keys(d.completers)) }

var errNilHandler = errors.New("the handler is nil")
