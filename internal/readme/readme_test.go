// Package readme checks that what the README and the pages of docs show is
// what there is.
//
// A comment before a block or a picture says where it comes
// from, and the tests compare, or rewrite it with -update:
//
//	<!-- file: examples/election/main.go -->
//	<!-- output, exit 1: go run ./cmd/caulk explore --algo mark2 --wipe 3 -->
//	<!-- picture, exit 1: go run ./cmd/caulk explore ... --svg testdata/x.svg -->
package readme

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite what the pages show")

const root = "../.."

// source matches a comment that says where the block or picture after it comes
// from: kind, exit code, and the file or command.
var source = regexp.MustCompile(`(?m)^<!-- (file|output|picture)(?:, exit (\d+))?: (.+) -->\n`)

// shown matches a block behind such a comment: its content is the submatch.
var shown = regexp.MustCompile("^```[a-z]*\n((?s:.*?)\n)```\n")

func TestReadme(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	kinds := check(t, "README.md")
	if kinds["file"] == 0 || kinds["output"] == 0 || kinds["picture"] == 0 {
		t.Errorf("the README shows too little: %v", kinds)
	}
}

// TestPages checks the pages of docs; the tutorial has a test of its own.
func TestPages(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil || len(pages) < 2 {
		t.Fatalf("there are the pages %v: %v", pages, err)
	}
	for _, page := range pages {
		if name := "docs/" + filepath.Base(page); name != tutorial {
			check(t, name)
		}
	}
}

// link matches a link to another file of the repository, up to its anchor.
var link = regexp.MustCompile(`\]\(([^)#:\s,]*[./][^)#:\s,]*)[^):\s]*\)`)

// TestLinks follows every link from a page to a file.
func TestLinks(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	tops, err := filepath.Glob(filepath.Join(root, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, tops...) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s has a link to what is not there: %s", page, m[1])
			}
		}
	}
}

// check compares everything that a page shows, or rewrites it, and counts it
// by kind.
func check(t *testing.T, page string) map[string]int {
	kinds := map[string]int{}
	var b strings.Builder
	rest := read(t, page)
	for {
		m := source.FindStringSubmatchIndex(rest)
		if m == nil {
			break
		}
		kind, from := rest[m[2]:m[3]], rest[m[6]:m[7]]
		exit := 0
		if m[4] >= 0 {
			exit, _ = strconv.Atoi(rest[m[4]:m[5]])
		}
		kinds[kind]++
		b.WriteString(rest[:m[1]])
		rest = rest[m[1]:]
		switch kind {
		case "picture":
			picture(t, page, from, exit)
		case "file":
			rest = block(t, &b, rest, from, read(t, from))
		case "output":
			rest = block(t, &b, rest, from, typed(b.String(), from)+run(t, from, exit))
		}
	}
	if *update {
		write(t, page, b.String()+rest)
	}
	return kinds
}

// typed is the command's line in a block that shows what it prints; none where the
// lines before it have shown the command: comments are not seen by readers.
func typed(before, command string) string {
	lines := strings.Split(strings.TrimSpace(before), "\n")
	for _, line := range lines[max(0, len(lines)-8) : len(lines)-1] {
		if strings.TrimSpace(line) == command {
			return ""
		}
	}
	return "$ " + command + "\n"
}

// block compares what the README shows at the beginning of its rest, writes
// what it should show, and gives the rest behind it.
func block(t *testing.T, b *strings.Builder, rest, from, want string) string {
	m := shown.FindStringSubmatchIndex(rest)
	if m == nil {
		t.Fatalf("after the comment that names %s there is no block", from)
	}
	got := rest[m[2]:m[3]]
	if diff := cmp.Diff(steady(want), steady(got)); diff != "" && !*update {
		t.Errorf("what is shown of %s is not what there is; run make update (-is +shown):\n%s", from, diff)
	} else if diff == "" {
		want = got // keep the times that were shown
	}
	b.WriteString(rest[:m[2]] + want)
	return rest[m[3]:]
}

// steady leaves out what differs from run to run: the line of times.
func steady(s string) string { return regexp.MustCompile(`(?m)^  time .*\n`).ReplaceAllString(s, "") }

// picture draws a picture again, elsewhere, and compares.
func picture(t *testing.T, page, command string, exit int) {
	name := command[strings.LastIndex(command, " ")+1:]
	again := filepath.Join(t.TempDir(), filepath.Base(name))
	run(t, strings.TrimSuffix(command, name)+again, exit)
	drawn, err := os.ReadFile(again)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		write(t, name, string(drawn))
	} else if read(t, name) != string(drawn) {
		t.Errorf("%s is not what %s draws; run make update", name, command)
	}
	if text := read(t, page); !strings.Contains(text, "]("+name+")") && !strings.Contains(text, "](../"+name+")") {
		t.Errorf("%s does not show %s", page, name)
	}
}

// run gives what a command, which has no quotes, writes to standard output.
func run(t *testing.T, command string, exit int) string { return runIn(t, root, command, exit) }

func runIn(t *testing.T, dir, command string, exit int) string {
	words := strings.Fields(command)
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir = dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	// go run exits 1 whatever the program does, and says what that was.
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatalf("%s: %s", command, err)
	}
	last := errs.String()[strings.LastIndex(strings.TrimRight(errs.String(), "\n"), "\n")+1:]
	if exit == 0 && err != nil || exit != 0 && last != "exit status "+strconv.Itoa(exit)+"\n" {
		t.Fatalf("%s: want exit code %d: %v\n%s", command, exit, err, errs.String())
	}
	return string(out)
}

func read(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func write(t *testing.T, name, text string) {
	if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
