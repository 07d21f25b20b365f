package server

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/parleymcp/parley/core"
	"github.com/parleymcp/parley/core/protocol"
	"github.com/parleymcp/parley/core/server/internal/hub"
	"github.com/parleymcp/parley/core/server/internal/legacy"
	"github.com/parleymcp/parley/internal/jsonx"
)

// kinds is one more than the largest core.Kind, to index arrays by.
const kinds = core.KindTemplate + 1

// entry is one registered feature.
type entry struct {
	*core.FeatureInfo
	feature  core.Feature
	encoded  []byte // its definition, as lists have it
	older    []byte // the same for revisions before 2026-07-28
	shape    legacy.Structure
	mirrored []mirrored
	serial   uint64 // in the order of registration, never used twice
}

// snapshot is one state of the registry. It never changes; Add and Remove make
// another one, so a request sees the same features from its beginning to its
// end.
type snapshot struct {
	byName [kinds]map[string]*entry
	lists  [kinds]*list
	next   uint64 // serial of the next feature

	// What was served once stays advertised, or it would flap.
	served      [kinds]bool
	completions bool

	discover     discovered
	paramHeaders []string // names of the Mcp-Param-* headers, sorted
}

func newSnapshot() *snapshot {
	s := &snapshot{next: 1}
	for kind := range s.lists {
		s.lists[kind] = newList(nil, 0)
		s.byName[kind] = make(map[string]*entry)
	}
	return s
}

// Add registers features, all of them or, on an error, none, and tells the open
// subscriptions/listen streams. Its error names everything that is wrong: a
// name that is registered already, or twice in features, and what the features
// say about themselves.
func (s *Server) Add(features ...core.Feature) error {
	s.registryMu.Lock()
	defer s.registryMu.Unlock()
	old := s.registry.Load()
	next := old.clone()
	var errs []error
	var changed [kinds]bool
	for i, f := range features {
		e, err := newEntry(f, next.next)
		if err != nil {
			errs = append(errs, fmt.Errorf("parley: feature %d: %w", i, err))
			continue
		}
		next.touch(e.Kind, &changed)
		if next.byName[e.Kind][e.Name] != nil {
			errs = append(errs, fmt.Errorf("parley: feature %d: the %s %q is registered already", i, e.Kind, e.Name))
			continue
		}
		next.add(e)
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	s.publish(next, changed)
	return nil
}

// Remove takes features out of the registry, by kind and name, and tells the
// open subscriptions/listen streams. What is not registered is ignored. Calls
// that are running go on.
func (s *Server) Remove(features ...core.Feature) {
	s.registryMu.Lock()
	defer s.registryMu.Unlock()
	next := s.registry.Load().clone()
	var changed [kinds]bool
	for _, f := range features {
		if f == nil {
			continue
		}
		d := core.Info(f)
		if next.byName[d.Kind][d.Name] == nil {
			continue
		}
		next.touch(d.Kind, &changed)
		delete(next.byName[d.Kind], d.Name)
	}
	s.publish(next, changed)
}

// publish makes next what requests see, and says what changed.
func (s *Server) publish(next *snapshot, changed [kinds]bool) {
	var lists hub.Kind
	for kind, topic := range [kinds]hub.Kind{
		core.KindTool: hub.Tools, core.KindPrompt: hub.Prompts,
		core.KindResource: hub.Resources, core.KindTemplate: hub.Resources,
	} {
		if changed[kind] {
			entries := slices.SortedFunc(maps.Values(next.byName[kind]), bySerial)
			next.lists[kind] = newList(entries, s.cfg.PageSize)
			lists |= topic
		}
	}
	if changed[core.KindTool] {
		next.paramHeaders = mirroredHeaders(next.lists[core.KindTool])
	}
	next.discover = s.discovered(next)
	s.registry.Store(next)
	if lists != 0 {
		s.hub.Publish(lists)
		s.sessionHub.Publish(lists)
	}
}

func (s *snapshot) clone() *snapshot {
	next := *s
	return &next
}

// touch makes the map of a kind the snapshot's own before its first change.
func (s *snapshot) touch(kind core.Kind, changed *[kinds]bool) {
	if !changed[kind] {
		changed[kind] = true
		s.byName[kind] = maps.Clone(s.byName[kind])
	}
}

func (s *snapshot) add(e *entry) {
	s.byName[e.Kind][e.Name] = e
	s.next++
	s.served[e.Kind] = true
	s.completions = s.completions || len(e.Completes) > 0
}

func bySerial(a, b *entry) int { return cmp.Compare(a.serial, b.serial) }

func newEntry(f core.Feature, serial uint64) (*entry, error) {
	if f == nil {
		return nil, errors.New("nil is no feature")
	}
	info := core.Info(f)
	if err := errors.Join(info.Problems...); err != nil {
		return nil, err
	}
	encoded, err := jsonx.Marshal(info.Definition)
	if err != nil {
		return nil, fmt.Errorf("the definition of the %s %q cannot be encoded: %w", info.Kind, info.Name, err)
	}
	e := &entry{FeatureInfo: info, feature: f, encoded: encoded, older: encoded, serial: serial}
	if tool, ok := info.Definition.(*protocol.Tool); ok {
		older := *tool
		older.OutputSchema, e.shape = legacy.OutputSchema(tool.OutputSchema)
		if e.shape != legacy.AsItIs {
			if e.older, err = jsonx.Marshal(&older); err != nil {
				return nil, fmt.Errorf("the definition of the tool %q cannot be encoded: %w", info.Name, err)
			}
		}
	}
	e.mirrored = mirroredBy(e)
	return e, nil
}

// mirroredHeaders are the headers that the arguments of the tools are mirrored
// into, each once.
func mirroredHeaders(tools *list) []string {
	var names []string
	for _, e := range tools.entries {
		for i := range e.mirrored {
			names = append(names, e.mirrored[i].header) // one spelling for Region and region
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
