package core

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"

	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/internal/jsonx"
)

// Resource is something to read, at a fixed URI (MCP 2026-07-28,
// server/resources).
type Resource[Out any] struct {
	desc    FeatureInfo
	handler func(ctx context.Context, ev *Event) (Out, error)
	encode  contentsEncoder[Out]
}

// NewResource declares a resource. Out is a string or []byte, the contents as
// text or binary; a *[ResourceResult], sent as it is; or anything else, whose
// JSON becomes the text. The type is text/plain, application/octet-stream or
// application/json unless [MIMEType] says otherwise. NewResource panics if the
// URI is not absolute or the name is blank.
func NewResource[Out any](
	uri, name string, handler func(ctx context.Context, ev *Event) (Out, error), opts ...FeatureOption,
) *Resource[Out] {
	d := define(KindResource, uri, "", opts)
	err := errors.Join(checkURI(uri), checkText("name of a resource", name))
	if handler == nil {
		err = errors.Join(err, errNilHandler)
	}
	if err != nil {
		panic(fmt.Sprintf("parley: NewResource %q: %v", uri, err))
	}
	encode, mimeType := contentsOf[Out](d.mimeType)
	r := &Resource[Out]{handler: handler, encode: encode}
	r.desc = FeatureInfo{
		Kind: KindResource, Name: uri, Cache: d.cache, Scopes: d.scopes, Problems: d.problems,
		Definition: &protocol.Resource{
			URI: uri, Name: name, Title: d.title, Description: d.description, MIMEType: mimeType,
			Size: d.size, Icons: d.icons, Annotations: d.annotations, Meta: d.meta,
		},
	}
	return r
}

// Name is the resource's URI.
func (r *Resource[Out]) Name() string { return r.desc.Name }

func (r *Resource[Out]) describe() *FeatureInfo { return &r.desc }

func (r *Resource[Out]) run(ctx context.Context, ev *Event) (any, error) { return r.handler(ctx, ev) }

func (r *Resource[Out]) convert(ev *Event, value any) (any, error) {
	out, _ := value.(Out)
	return r.encode(ev.Target(), out)
}

// contentsEncoder makes a handler's value the contents of the URI that was read.
type contentsEncoder[Out any] func(uri string, out Out) (*ResourceResult, error)

// contentsOf says how a resource's value is sent, and its MIME type.
func contentsOf[Out any](mimeType string) (contentsEncoder[Out], string) {
	one := func(c ResourceContents) (*ResourceResult, error) {
		return &ResourceResult{Contents: []ResourceContents{c}}, nil
	}
	switch any((*Out)(nil)).(type) {
	case *string:
		mimeType = cmp.Or(mimeType, "text/plain")
		return func(uri string, out Out) (*ResourceResult, error) {
			text, _ := any(out).(string)
			return one(ResourceContents{URI: uri, MIMEType: mimeType, Text: text})
		}, mimeType
	case *[]byte:
		mimeType = cmp.Or(mimeType, "application/octet-stream")
		return func(uri string, out Out) (*ResourceResult, error) {
			blob, _ := any(out).([]byte)
			if blob == nil {
				blob = []byte{} // binary all the same
			}
			return one(ResourceContents{URI: uri, MIMEType: mimeType, Blob: blob})
		}, mimeType
	case **ResourceResult:
		return func(uri string, out Out) (*ResourceResult, error) {
			r, _ := any(out).(*ResourceResult)
			return completeContents(uri, mimeType, r)
		}, mimeType
	}
	mimeType = cmp.Or(mimeType, "application/json")
	return func(uri string, out Out) (*ResourceResult, error) {
		if isNilPointer(out) {
			return nil, errNilResult
		}
		raw, err := jsonx.MarshalUser(out)
		if err != nil {
			return nil, fmt.Errorf("parley: the result cannot be encoded: %w", err)
		}
		return one(ResourceContents{URI: uri, MIMEType: mimeType, Text: string(raw)})
	}, mimeType
}

// completeContents fills in the URI and type that the handler left out, on a
// copy.
func completeContents(uri, mimeType string, r *ResourceResult) (*ResourceResult, error) {
	if r == nil {
		return nil, errNilResult
	}
	if len(r.Contents) == 0 {
		return nil, errors.New("parley: the handler returned no contents; a resource that does not exist is core.ResourceNotFound")
	}
	lacks := func(c ResourceContents) bool { return c.URI == "" || c.MIMEType == "" && mimeType != "" }
	if !slices.ContainsFunc(r.Contents, lacks) {
		return r, nil
	}
	out := &ResourceResult{Contents: slices.Clone(r.Contents), Meta: r.Meta}
	for i := range out.Contents {
		out.Contents[i].URI = cmp.Or(out.Contents[i].URI, uri)
		out.Contents[i].MIMEType = cmp.Or(out.Contents[i].MIMEType, mimeType)
	}
	return out, nil
}

func checkURI(uri string) error {
	u, err := url.Parse(uri)
	if err != nil || !u.IsAbs() {
		return fmt.Errorf("the URI %q must be absolute, such as docs://readme", uri)
	}
	return nil
}
