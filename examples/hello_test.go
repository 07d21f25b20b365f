package examples_test

import (
	"io"
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// hellos are the programs that serve the tool whoami in an application of their
// own.
var hellos = []string{"hello-stdlib", "hello-chi", "hello-gin", "hello-fiber"}

func TestHello(t *testing.T) {
	t.Setenv("GIN_MODE", "release") // or Gin tells standard output about itself
	for _, folder := range hellos {
		t.Run(folder, func(t *testing.T) {
			p := start(t, build(t, folder), "-addr", "127.0.0.1:0")
			commands := p.commands(t)
			t.Run("asks and answers", p.testWhoami)
			t.Run("the application", p.testApplication)
			t.Run("the printed commands", func(t *testing.T) { testCommands(t, commands) })
			t.Run("ends with an open stream", p.testEnd)
		})
	}
}

func (p *program) testWhoami(t *testing.T) {
	first := p.tool(t, "whoami", nil)
	if got := first.asked(); !slices.Equal(got, []string{"username"}) {
		t.Fatalf("got %v, want a question for username", first)
	}
	got := p.tool(t, "whoami", object{"inputResponses": answer("username", object{"name": "Ada"})})
	if got.text() != "Hello, Ada!" {
		t.Errorf("got %v, want a greeting", got)
	}
	got = p.tool(t, "whoami", object{"inputResponses": object{"username": object{"action": "decline"}}})
	if !strings.HasPrefix(got.text(), "No problem") {
		t.Errorf("got %v, want to carry on without a name", got)
	}
	long := answer("username", object{"name": strings.Repeat("a", 81)})
	if got := p.tool(t, "whoami", object{"inputResponses": long}); !slices.Equal(got.asked(), []string{"username"}) {
		t.Errorf("got %v after an answer that is too long, want the question again", got)
	}
}

func (p *program) testApplication(t *testing.T) {
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSuffix(p.url, "mcp"), http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(body), "application") {
		t.Errorf("got %s %q (%v), want the application", resp.Status, body, err)
	}
}

// commands are the two that the program prints for its user to paste, each
// between empty lines.
func (p *program) commands(t *testing.T) []string {
	t.Helper()
	var commands []string
	var command strings.Builder
	for len(commands) < 2 {
		line, err := p.stdout.ReadString('\n')
		if err != nil {
			t.Fatalf("%v after %d commands and %q", err, len(commands), command.String())
		}
		if line == "\n" && command.Len() == 0 {
			continue
		}
		command.WriteString(line)
		if strings.Count(command.String(), "'")%2 == 0 && !strings.HasSuffix(line, "\\\n") {
			commands = append(commands, command.String())
			command.Reset()
		}
	}
	return commands
}

func testCommands(t *testing.T, commands []string) {
	if _, err := exec.LookPath("curl"); err != nil {
		t.Skipf("there is no curl here: %v", err)
	}
	run := func(command string) message {
		if !strings.HasPrefix(command, "curl ") {
			t.Fatalf("%q is printed, want a curl command", command)
		}
		cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		return decode(t, out)
	}
	if got := run(commands[0]); !slices.Equal(got.asked(), []string{"username"}) {
		t.Errorf("the first command: got %v, want a question", got)
	}
	if got := run(commands[1]); got.text() != "Hello, Ada!" {
		t.Errorf("the second command: got %v, want a greeting", got)
	}
}

// testEnd ends the program while a client listens, who gets a result.
func (p *program) testEnd(t *testing.T) {
	stream := p.listen(t, "toolsListChanged")
	rest, err := p.stop()
	if err != nil {
		t.Fatal(err)
	}
	if strings.TrimSpace(rest) != "" {
		t.Errorf("%q is printed in the end, want nothing", rest)
	}
	last := stream.next(t)
	if string(last.ID) != "7" || last.Result == nil || last.Result.ResultType != "complete" {
		t.Errorf("the last event is %v, want the result", last)
	}
	for stream.lines.Scan() {
		if line := stream.lines.Text(); line != "" {
			t.Errorf("the stream goes on after its result: %q", line)
		}
	}
	if err := stream.lines.Err(); err != nil {
		t.Errorf("the stream does not end cleanly: %v", err)
	}
}
