package core

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/yosida95/uritemplate/v3"

	"github.com/parleymcp/parley/core/protocol"
)

// Template is a family of resources, named by a URI template of RFC 6570
// (MCP 2026-07-28, server/resources).
type Template[Vars, Out any] struct {
	desc     FeatureInfo
	handler  func(ctx context.Context, ev *Event, vars Vars) (Out, error)
	template *uritemplate.Template
	fields   map[string]int // variable → field of Vars
	encode   contentsEncoder[Out]
}

// NewTemplate declares a template. Vars is a struct of strings and slices of
// strings, one field for each variable, named by its json tag or its own name.
// The values are decoded, so one may hold a slash or dots: check it before it
// becomes part of a path. A URI over 2048 bytes matches nothing. Out is as in [NewResource]. A resource that does not
// exist is [ResourceNotFound]. NewTemplate panics if the template is none, the
// name is blank, or Vars and the template's variables differ.
func NewTemplate[Vars, Out any](
	uriTemplate, name string, handler func(ctx context.Context, ev *Event, vars Vars) (Out, error), opts ...FeatureOption,
) *Template[Vars, Out] {
	d := define(KindTemplate, uriTemplate, "", opts)
	parsed, err := uritemplate.New(uriTemplate)
	if err != nil {
		panic(fmt.Sprintf("parley: NewTemplate %q: %v", uriTemplate, err))
	}
	fields, err := templateFields(reflect.TypeFor[Vars](), parsed.Varnames())
	if handler == nil {
		err = errors.Join(err, errNilHandler)
	}
	if err := errors.Join(err, checkText("name of a template", name)); err != nil {
		panic(fmt.Sprintf("parley: NewTemplate %q: %v", uriTemplate, err))
	}
	parsed.Regexp() // compiled now, not on the first request

	encode, mimeType := contentsOf[Out](d.mimeType)
	t := &Template[Vars, Out]{
		handler: handler, template: parsed, fields: fields, encode: encode,
	}
	d.checkCompleters(parsed.Varnames())
	t.desc = FeatureInfo{
		Kind: KindTemplate, Name: uriTemplate, Cache: d.cache, Completes: d.completes(), completers: d.completers,
		Scopes: d.scopes, Problems: d.problems,
		Match: func(uri string) bool { return t.match(uri) != nil },
		Definition: &protocol.ResourceTemplate{
			URITemplate: uriTemplate, Name: name, Title: d.title, Description: d.description, MIMEType: mimeType,
			Icons: d.icons, Annotations: d.annotations, Meta: d.meta,
		},
	}
	return t
}

// templateFields pairs variables with fields, both ways without a rest.
func templateFields(t reflect.Type, variables []string) (map[string]int, error) {
	if t.Kind() != reflect.Struct {
		return nil, fmt.Errorf("the variables are a struct, not %v", t)
	}
	var problems []error
	fields := map[string]int{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		name = cmp.Or(name, f.Name)
		switch {
		case !f.IsExported() || f.Tag.Get("json") == "-":
			continue
		case f.Type.Kind() != reflect.String && (f.Type.Kind() != reflect.Slice || f.Type.Elem().Kind() != reflect.String):
			problems = append(problems, fmt.Errorf("the field %s is a %v, allowed are string and []string", f.Name, f.Type))
		case !slices.Contains(variables, name):
			problems = append(problems, fmt.Errorf("the field %s is no variable of the template; there are %q", f.Name, variables))
		}
		fields[name] = i
	}
	for _, name := range variables {
		if _, ok := fields[name]; !ok {
			problems = append(problems, fmt.Errorf("the variable %q has no field in %v", name, t))
		}
	}
	return fields, errors.Join(problems...)
}

// maxURI is the longest URI that is matched against a template, in bytes: a
// match costs microseconds for every byte, and whoever may send requests may
// send long ones.
const maxURI = 2048

func (t *Template[Vars, Out]) match(uri string) uritemplate.Values {
	if len(uri) > maxURI {
		return nil
	}
	values := t.template.Match(uri)
	for _, v := range values {
		// Invalid UTF-8 becomes U+FFFD where it is encoded, and two resources one.
		if slices.ContainsFunc(v.V, func(s string) bool { return !utf8.ValidString(s) }) {
			return nil
		}
	}
	return values
}

// Name is the URI template.
func (t *Template[Vars, Out]) Name() string { return t.desc.Name }

func (t *Template[Vars, Out]) describe() *FeatureInfo { return &t.desc }

func (t *Template[Vars, Out]) run(ctx context.Context, ev *Event) (any, error) {
	values := t.match(ev.Target())
	if values == nil {
		return nil, ResourceNotFound(ev.Target())
	}
	var vars Vars
	rv := reflect.ValueOf(&vars).Elem()
	for name, i := range t.fields {
		if f, value := rv.Field(i), values.Get(name); f.Kind() == reflect.String {
			f.SetString(value.String())
		} else if list := value.List(); len(list) > 0 {
			f.Set(reflect.ValueOf(list).Convert(f.Type()))
		}
	}
	return t.handler(ctx, ev, vars)
}

func (t *Template[Vars, Out]) convert(ev *Event, value any) (any, error) {
	out, _ := value.(Out)
	return t.encode(ev.Target(), out)
}
