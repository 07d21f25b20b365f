package conformance_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// A check is one entry of a checks.json of the runner.
type check struct {
	ID           string `json:"id"`
	Description  string `json:"description"`
	Status       string `json:"status"`
	ErrorMessage string `json:"errorMessage"`
}

// A result is what one run of the runner found.
type result struct {
	exitCode  int
	output    string
	scenarios map[string][]check
}

// folder is how the runner names the results of a scenario.
var folder = regexp.MustCompile(`^server-(.+)-\d{4}-\d{2}-\d{2}T[\d-]+Z$`)

// readScenarios reads what the runner left in dir, by name of scenario.
func readScenarios(dir string) (map[string][]check, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "checks.json"))
	if err != nil {
		return nil, err
	}
	scenarios := map[string][]check{}
	for _, file := range files {
		name := folder.FindStringSubmatch(filepath.Base(filepath.Dir(file)))
		if name == nil {
			return nil, fmt.Errorf("unknown form of name: %s", file)
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var checks []check
		if err := json.Unmarshal(data, &checks); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		scenarios[name[1]] = append(scenarios[name[1]], checks...)
	}
	return scenarios, nil
}

// problems returns what keeps a run from being a full pass: the runner's own
// summary shows neither warnings nor scenarios that checked nothing.
func (r result) problems(wantScenarios int) []string {
	var problems []string
	names := slices.Sorted(maps.Keys(r.scenarios))
	for _, name := range names {
		succeeded := 0
		for _, c := range r.scenarios[name] {
			switch c.Status {
			case "SUCCESS":
				succeeded++
			case "INFO", "SKIPPED":
			default: // FAILURE, WARNING, and what a newer runner may add
				problems = append(problems, fmt.Sprintf("%s: %s: %s: %s", name, c.ID, c.Status, cmp.Or(c.ErrorMessage, c.Description)))
			}
		}
		if succeeded == 0 {
			problems = append(problems, fmt.Sprintf("%s: none of %d checks succeeded", name, len(r.scenarios[name])))
		}
	}
	if len(names) != wantScenarios {
		problems = append(problems, fmt.Sprintf("%d scenarios ran, want %d: %v", len(names), wantScenarios, names))
	}
	if r.exitCode != 0 && len(problems) == 0 {
		problems = append(problems, fmt.Sprintf("the runner ended with exit code %d:\n%s", r.exitCode, r.output))
	}
	return problems
}
