package deps

import (
	"fmt"
	"slices"
	"strings"
)

// Package is what go list tells of a package, under the same names.
type Package struct {
	ImportPath   string
	Imports      []string
	TestImports  []string
	XTestImports []string
}

// Check returns every breach of the import rules in a graph that holds the
// packages of the module and all they depend on, sorted; none means clean.
func Check(module string, packages []Package) []string {
	g := graph{module: module, imports: map[string][]string{}}
	for _, p := range packages {
		g.imports[p.ImportPath] = p.Imports
	}
	var breaches []string
	for _, p := range packages {
		rel, ours := g.relative(p.ImportPath)
		if !ours {
			continue
		}
		breaches = append(breaches, g.direct(rel, p)...)
		breaches = append(breaches, g.reached(rel, p.ImportPath)...)
	}
	slices.Sort(breaches)
	return slices.Compact(breaches)
}

type graph struct {
	module  string
	imports map[string][]string
}

// relative returns the path below the module, and whether there is one.
func (g graph) relative(path string) (string, bool) {
	if path == g.module {
		return "", true
	}
	return strings.CutPrefix(path, g.module+"/")
}

// direct checks what the files of one package name themselves.
func (g graph) direct(rel string, p Package) []string {
	var breaches []string
	tests := slices.Concat(p.TestImports, p.XTestImports)
	for _, imp := range slices.Concat(p.Imports, tests) {
		if _, ours := g.relative(imp); ours || standard(imp) {
			continue
		}
		for lib, allowed := range importers {
			if under(imp, lib) && !slices.Contains(allowed, rel) {
				breaches = append(breaches, fmt.Sprintf("%s imports %s: only %s may", rel, imp, strings.Join(allowed, " and ")))
			}
		}
		inTest := !slices.Contains(p.Imports, imp)
		free := inAny(rel, freeAreas) || inTest && inAny(rel, []area{"internal/..."})
		if !free && !slices.ContainsFunc(thirdParty[rel], func(lib string) bool { return under(imp, lib) }) {
			breaches = append(breaches, fmt.Sprintf("%s imports %s: it may not import that of others", rel, imp))
		}
	}
	for _, imp := range p.Imports {
		if helper, _ := g.relative(imp); inAny(helper, testsOnly) && !inAny(rel, testSuite) {
			breaches = append(breaches, fmt.Sprintf("%s imports %s: only tests may", rel, helper))
		}
		if inAny(rel, standardLibraryOnly) && !standard(imp) {
			breaches = append(breaches, fmt.Sprintf("%s imports %s: it may import the standard library only", rel, imp))
		}
		if under(imp, "testing") && !inAny(rel, testHelpers) {
			breaches = append(breaches, fmt.Sprintf("%s imports %s: only core/coretest helps tests", rel, imp))
		}
	}
	return breaches
}

// reached checks what one package links, by whatever detour.
func (g graph) reached(rel, path string) []string {
	var breaches []string
	via := g.closure(path)
	for _, w := range walls {
		if !inAny(rel, w.from) || inAny(rel, w.except) {
			continue
		}
		for target, by := range via {
			if g.behind(w, target) && !g.behind(w, by) { // the first step is enough to know
				breaches = append(breaches, fmt.Sprintf("%s: %s", g.way(via, target), w.reason))
			}
		}
	}
	if strings.HasPrefix(rel, "adapters/") {
		var found []string
		for _, f := range frameworks {
			for target := range via {
				if slices.ContainsFunc(f, func(lib string) bool { return under(target, lib) }) {
					found = append(found, f[0])
					break
				}
			}
		}
		if len(found) > 1 {
			breaches = append(breaches, fmt.Sprintf("%s links %s: an adapter has one framework", rel, strings.Join(found, " and ")))
		}
	}
	return breaches
}

// behind tells whether a package is one that a wall keeps off.
func (g graph) behind(w wall, path string) bool {
	rel, _ := g.relative(path)
	return slices.ContainsFunc(w.never, func(n string) bool { return under(path, n) || under(rel, n) })
}

// closure returns everything that path links, each with the package that
// brought it in first.
func (g graph) closure(path string) map[string]string {
	via := map[string]string{}
	for queue := []string{path}; len(queue) > 0; queue = queue[1:] {
		for _, imp := range g.imports[queue[0]] {
			if _, seen := via[imp]; !seen && imp != path {
				via[imp] = queue[0]
				queue = append(queue, imp)
			}
		}
	}
	return via
}

// way spells out how target came in.
func (g graph) way(via map[string]string, target string) string {
	var names []string
	for at := target; at != ""; at = via[at] {
		name := at
		if rel, ours := g.relative(at); ours {
			name = rel
		}
		names = append(names, name)
	}
	slices.Reverse(names)
	return strings.Join(names, " -> ")
}

// standard tells a package of the standard library: no dot in its first element.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

func under(path, root string) bool {
	return path == root || strings.HasPrefix(path, root+"/")
}

func inAny(rel string, areas []area) bool {
	return slices.ContainsFunc(areas, func(a area) bool {
		root, tree := strings.CutSuffix(a, "...")
		root = strings.TrimSuffix(root, "/")
		return rel == root || tree && (root == "" || under(rel, root))
	})
}
