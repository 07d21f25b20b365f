package probes

import (
	"fmt"
	"regexp"
	"strings"
)

// Ours is the name of our own program.
const Ours = "parley"

// Begin and End are around the table in README.md.
const (
	Begin = "<!-- make probes writes this: begin -->"
	End   = "<!-- end -->"
)

// Report is all that was found, and on what.
type Report struct {
	Date    string // 2006-01-02
	Go      string // the version
	Columns []Column
}

// Column is one server.
type Column struct {
	Program string
	Title   string // name and version
	Results []Result
}

// Legend explains the marks.
const Legend = "✓ right · ✗ the fault is there · ○ allowed by the specification, or left to the application · – cannot be told"

// statusForm is what evidence begins with where it is an answer.
var statusForm = regexp.MustCompile(`^\d{3}\b`)

// sign is the mark of a result in a table.
func (c Column) sign(r Result) string {
	switch r.Mark {
	case Passed:
		return "✓"
	case Failed:
		if confirmed, ok := Confirmed(c.Program, r.Probe.Row); ok && confirmed.Left {
			return "○"
		}
		return "✗"
	default:
		return "–"
	}
}

// Table is the table of README.md: three rows of it on a line.
func (r Report) Table() string {
	const across = 3
	var b strings.Builder
	fmt.Fprintf(&b, "What `make probes` found in raw HTTP on %s, with %s: %s.\n", r.Date, r.Go, titles(r.Columns))
	fmt.Fprintf(&b, "%s.\n[docs/probes.md](docs/probes.md) has what was sent, what came back, and where it is in the source.\n\n", Legend)
	var names strings.Builder
	for _, c := range r.Columns {
		names.WriteString(" " + c.Program + " |")
	}
	b.WriteString("|" + strings.Repeat(" |"+names.String(), across) + "\n")
	b.WriteString("|" + strings.Repeat("---|"+strings.Repeat(":-:|", len(r.Columns)), across) + "\n")
	probes := r.Columns[0].Results
	lines := (len(probes) + across - 1) / across
	for line := range lines {
		b.WriteString("|")
		for i := line; i < lines*across; i += lines {
			if i >= len(probes) {
				b.WriteString(strings.Repeat(" |", len(r.Columns)+1))
				continue
			}
			b.WriteString(" " + probes[i].Probe.Short + " |")
			for _, c := range r.Columns {
				b.WriteString(" " + c.sign(c.Results[i]) + " |")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func titles(columns []Column) string {
	var all []string
	for _, c := range columns {
		all = append(all, c.Title)
	}
	return strings.Join(all, ", ")
}

// Page is docs/probes.md.
func (r Report) Page() string {
	var b strings.Builder
	b.WriteString(intro)
	fmt.Fprintf(&b, "Measured on %s with %s: %s. %s.\n", r.Date, r.Go, titles(r.Columns), Legend)
	for i, first := range r.Columns[0].Results {
		p := first.Probe
		fmt.Fprintf(&b, "\n## %s: %s\n\nWhy: %s.\n\n| sent |", p.Row, p.Title, p.Why)
		for _, c := range r.Columns {
			fmt.Fprintf(&b, " %s: %s |", c.Program, c.sign(c.Results[i]))
		}
		b.WriteString("\n|---|" + strings.Repeat("---|", len(r.Columns)) + "\n")
		for _, sent := range sentBy(r.Columns, i) {
			b.WriteString("| " + cell(sent) + " |")
			for _, c := range r.Columns {
				b.WriteString(" " + gotFor(c.Results[i], sent) + " |")
			}
			b.WriteString("\n")
		}
		for _, c := range r.Columns {
			if found, ok := Confirmed(c.Program, p.Row); ok {
				fmt.Fprintf(&b, "\n%s: %s\n", c.Title, found.Text)
			}
		}
	}
	b.WriteString("\n## What cannot be seen from outside\n\nThese rows are covered by tests of their packages.\n\n| row | why |\n|---|---|\n")
	for _, h := range Unseen {
		fmt.Fprintf(&b, "| %s | %s |\n", h.Rows, h.Why)
	}
	return b.String()
}

// sentBy are the cases of a row on any server, in their order.
func sentBy(columns []Column, row int) []string {
	var all []string
	seen := map[string]bool{}
	for _, c := range columns {
		for _, one := range c.Results[row].Cases {
			if !seen[one.Sent] {
				seen[one.Sent] = true
				all = append(all, one.Sent)
			}
		}
	}
	return all
}

// gotFor is a cell: what came back, in full only where it is wrong.
func gotFor(r Result, sent string) string {
	if len(r.Cases) == 0 {
		return "– " + cell(r.Why)
	}
	var all []string
	for _, c := range r.Cases {
		if c.Sent != sent {
			continue
		}
		sign := "✗"
		switch {
		case c.OK:
			sign = "✓"
		case c.Note:
			sign = "(✗)"
		}
		text := c.Got
		if c.OK {
			text = statusForm.FindString(text)
		}
		if line := strings.TrimSpace(sign + " " + cell(text)); len(all) == 0 || all[len(all)-1] != line {
			all = append(all, line)
		}
	}
	return strings.Join(all, "<br>")
}

func cell(text string) string { return strings.ReplaceAll(text, "|", "\\|") }

const intro = `# Probes

<!-- make probes writes this page. -->

The module interop has a suite that looks at MCP servers from outside, in raw HTTP, for the faults that people have met
in the field. A probe is one kind of fault; it counts as one only where the specification (2026-07-28) or plain safety
demands otherwise. The suite runs in our tests against our own fixture, on net/http, Chi, Gin and Fiber, where each
probe has to pass, and against copies of it that were spoiled in one way each, where the probe of that fault has to
fail. ` + "`make probes`" + ` runs it against our fixture and against servers of two other libraries; ` + "`go run ./probes/run -url URL`" + `
in interop runs it against any server that has the tools of the suite.

The servers, all on net/http and loopback:

* **parley** is examples/everything with ` + "`-probes`" + `; KeepAlive of a second, WriteTimeout of http.Server of a second.
* **go-sdk** is interop/probes/gosdkserver: ` + "`StreamableHTTPOptions{Stateless: true, PropagateRequestCancellation: true}`" + `
  within ` + "`http.NewCrossOriginProtection().Handler`" + `, as the documentation of the options recommends. T1 and T12 pass with
  these, and would not without. For T33 and M19 it keeps sessions (` + "`Stateless: false`" + `).
* **mcp-go** is interop/probes/mcpgoserver: the default handler with WithRecovery, WithResourceRecovery,
  WithInputSchemaValidation, WithOutputSchemaValidation and WithHeartbeatInterval. For T33 and M19 it keeps sessions
  (WithStateful).

For T13 the HTTP servers of all three have a WriteTimeout of a second; for T28 all three are built with the race detector.
Where a probe fails on another library, somebody has looked at the bytes and at the source, and says below what it is; a
failure that nobody has looked into is not published. In brackets is what was measured but does not count. The member
serverInfo of results is left out below, and long answers are cut.

`
