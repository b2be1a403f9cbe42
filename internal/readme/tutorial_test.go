package readme

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const tutorial = "docs/tutorial.md"

// todo matches a comment that says what a reader of the tutorial does with the
// block after it.
var todo = regexp.MustCompile(`(?m)^<!-- (write|replace|output|runs)(?:, exit (\d+))?: (.+) -->\n`)

// TestTutorial does all that the tutorial says, in its order, in a module of
// its own: it writes the files, replaces the functions, and compares what the
// commands print with what the tutorial shows, or rewrites that with -update.
func TestTutorial(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs")
	}
	dir := ownModule(t)
	rest := read(t, tutorial)
	var b strings.Builder
	done := map[string]int{}
	for {
		m := todo.FindStringSubmatchIndex(rest)
		if m == nil {
			break
		}
		kind, what, exit := rest[m[2]:m[3]], rest[m[6]:m[7]], 0
		if m[4] >= 0 {
			exit, _ = strconv.Atoi(rest[m[4]:m[5]])
		}
		done[kind]++
		b.WriteString(rest[:m[1]])
		rest = rest[m[1]:]
		if kind == "output" {
			rest = block(t, &b, rest, what, typed(b.String(), what)+runIn(t, dir, what, exit))
			continue
		}
		s := shown.FindStringSubmatch(rest)
		if s == nil {
			t.Fatalf("after the comment that names %s there is no block", what)
		}
		file := filepath.Join(dir, what)
		switch kind {
		case "write":
			writeFile(t, file, s[1]+"\n")
		case "replace":
			writeFile(t, file, replaced(t, file, s[1]))
		case "runs":
			runIn(t, dir, what, exit)
		}
	}
	for _, kind := range []string{"write", "replace", "output", "runs"} {
		if done[kind] == 0 {
			t.Errorf("the tutorial has nothing of kind %s", kind)
		}
	}
	if *update {
		write(t, tutorial, b.String()+rest)
	}
}

// ownModule is a module beside caulk, as a reader of the tutorial makes it.
func ownModule(t *testing.T) string {
	dir := t.TempDir()
	caulk, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	mod := strings.Replace(read(t, "go.mod"), "module github.com/caulk-go/caulk", "module tutorial", 1)
	writeFile(t, filepath.Join(dir, "go.mod"), mod+"\nrequire github.com/caulk-go/caulk v0.0.0\nreplace github.com/caulk-go/caulk => "+caulk+"\n")
	writeFile(t, filepath.Join(dir, "go.sum"), read(t, "go.sum"))
	return dir
}

func writeFile(t *testing.T, name, text string) {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// replaced is a file in which the functions that a block has are those of the
// block. Each must have been there, with its comment.
func replaced(t *testing.T, file, block string) string {
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range functions(t, "package main\n\n"+block) { //tidy:unordered each is replaced by itself
		old, found := functions(t, string(content))[name]
		if !found {
			t.Fatalf("%s has no function %s to replace", file, name)
		}
		content = bytes.Replace(content, []byte(old), []byte(text), 1)
	}
	return string(content)
}

// functions are those of a file, by name, each with its comment.
func functions(t *testing.T, source string) map[string]string {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok {
			from := fn.Pos()
			if fn.Doc != nil {
				from = fn.Doc.Pos()
			}
			all[fn.Name.Name] = source[fset.Position(from).Offset:fset.Position(fn.End()).Offset]
		}
	}
	return all
}
