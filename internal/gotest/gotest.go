// Package gotest writes Go test files that make the moves of paths again.
package gotest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/caulk-go/caulk/internal/printable"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// File is a test file: a test function for each of its tests, in their order.
type File struct {
	Package    string // the name in the package clause
	Algorithms string // a Go expression of type []model.Algorithm

	// Import is the import path of the package that the expression is about;
	// empty if that is the file's own. ImportName is the name that the expression
	// has for it; empty for the package's own.
	Import, ImportName string

	Tests []Test
}

// Test is one test function.
type Test struct {
	Subject string     // what fails, for the function's name: "consistent"
	Reason  string     // in a sentence
	Command string     // that shows it; empty for none
	Path    trace.Path // with its setting
}

const module = "github.com/caulk-go/caulk/"

// Check says, in one line, what is wrong with how a file names the algorithms.
// The error is a *PartError.
func (f *File) Check() error {
	wrong := func(part, format string, args ...any) error {
		return &PartError{part, fmt.Sprintf(format, args...)}
	}
	if !token.IsIdentifier(f.Package) || f.Package == "_" {
		return wrong("package", "%q is no name of a package", f.Package)
	}
	if _, err := parser.ParseExpr(f.Algorithms); err != nil || strings.ContainsAny(f.Algorithms, "\n\r") {
		return wrong("expr", "%q is no Go expression in one line", f.Algorithms)
	}
	if f.Import == "" {
		return nil
	}
	if strings.ContainsFunc(f.Import, func(r rune) bool {
		return !unicode.IsGraphic(r) || strings.ContainsRune(" !\"#$%&'()*,:;<=>?[\\]^`{|}\uFFFD", r)
	}) {
		return wrong("import", "%q is no import path", f.Import)
	}
	if f.ImportName != "" && (!token.IsIdentifier(f.ImportName) || f.ImportName == "_") {
		return wrong("import", "%q is no name for a package", f.ImportName)
	}
	if name := cmp.Or(f.ImportName, path.Base(f.Import)); slices.Contains([]string{"testing", "model", "scenario", "trace"}, name) && !strings.HasPrefix(f.Import, module) {
		return wrong("import", "the file has another package called %s: write NAME=%s, and use NAME in the expression", name, f.Import)
	}
	return nil
}

// PartError says what is wrong with one part of what names the algorithms:
// package, import or expr.
type PartError struct{ Part, Reason string }

func (e *PartError) Error() string { return e.Reason }

// Source is the file, formatted. The same File gives the same bytes. An error
// is that of Check; or says that a path has no setting, which it must have.
func (f *File) Source() ([]byte, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	var body bytes.Buffer
	taken := map[string]int{}
	for i := range f.Tests {
		t := &f.Tests[i]
		if t.Path.Setting == nil {
			return nil, errors.New("the path has no setting: it does not say which system it is of")
		}
		name := "Test" + camel(t.Path.Setting.Algo) + camel(t.Subject)
		if taken[name]++; taken[name] > 1 {
			name += "_" + strconv.Itoa(taken[name])
		}
		t.write(&body, name, f.Algorithms)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\nimport (\n\"testing\"\n\n", f.Package)
	for _, line := range f.imports(names("package p\n"+body.String(), "model")) {
		b.WriteString(line + "\n")
	}
	b.WriteString(")\n")
	b.Write(body.Bytes())
	return format.Source(b.Bytes())
}

// names says whether a source file uses a package of that name.
func names(source, name string) (used bool) {
	file, err := parser.ParseFile(token.NewFileSet(), "", source, parser.SkipObjectResolution)
	if err != nil {
		return false // the formatter will say it
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			x, ok := s.X.(*ast.Ident)
			used = used || ok && x.Name == name
		}
		return true
	})
	return used
}

func (f *File) imports(withModel bool) []string {
	paths := []string{module + "scenario", module + "trace"}
	if withModel {
		paths = append(paths, module+"model")
	}
	if f.Import != "" && f.ImportName == "" && !slices.Contains(paths, f.Import) {
		paths = append(paths, f.Import)
	}
	slices.Sort(paths)
	lines := make([]string, len(paths))
	for i, p := range paths {
		lines[i] = strconv.Quote(p)
	}
	if f.ImportName != "" {
		lines = append(lines, f.ImportName+" "+strconv.Quote(f.Import))
	}
	return lines
}

func (t *Test) write(b *bytes.Buffer, name, algorithms string) {
	s := t.Path.Setting
	fmt.Fprintf(b, "\n// %s fails as long as its moves lead %s to where something is\n// wrong. When caulk wrote it, that was:\n//\n//\t%s\n", name, comment(s.Algo), comment(t.Reason))
	if t.Command != "" {
		fmt.Fprintf(b, "//\n// To see it:\n//\n//\t%s\n", comment(t.Command))
	}
	b.WriteString("//\n// Moves that are no longer possible are left out.\n")
	fmt.Fprintf(b, "func %s(t *testing.T) {\n\tscenario.Replay(t, %s, trace.Path{\n", name, algorithms)
	writeSetting(b, s)
	if t.Path.Property != "" {
		fmt.Fprintf(b, "Property: %q,\n", t.Path.Property)
	}
	if t.Path.LoopFrom != nil {
		fmt.Fprintf(b, "LoopFrom: new(%d), // the moves from this one on repeat for ever\n", *t.Path.LoopFrom)
	}
	b.WriteString("Steps: []trace.Step{\n")
	for _, step := range t.Path.Steps {
		fmt.Fprintf(b, "{Label: %q", step.Label)
		if step.Body != "" {
			fmt.Fprintf(b, ", Body: %q", step.Body)
		}
		b.WriteString("},")
		if step.State != "" {
			b.WriteString(" // " + comment(step.State))
		}
		b.WriteByte('\n')
	}
	b.WriteString("},\n})\n}\n")
}

// writeSetting leaves out what is at its zero value.
func writeSetting(b *bytes.Buffer, s *trace.Setting) {
	fmt.Fprintf(b, "Setting: &trace.Setting{\nAlgo: %q,\nAgents: %d,\n", s.Algo, s.Agents)
	if len(s.Params) > 0 {
		fmt.Fprintf(b, "Params: map[string]int{%s},\n", pairs(s.Params, strconv.Itoa))
	}
	if len(s.Starts) > 0 {
		b.WriteString("Starts: map[model.ID]string{")
		for i, id := range slices.Sorted(maps.Keys(s.Starts)) {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(b, "%d: %q", id, s.Starts[id])
		}
		b.WriteString("},\n")
	}
	if s.Network != "" {
		fmt.Fprintf(b, "Network: %q,\n", s.Network)
	}
	if s.Lossy {
		b.WriteString("Lossy: true,\n")
	}
	for _, fault := range []struct {
		name string
		ids  []model.ID
	}{{"Wipe", s.Wipe}, {"Restart", s.Restart}, {"Crash", s.Crash}} {
		if len(fault.ids) > 0 {
			text := strings.Trim(fmt.Sprint(fault.ids), "[]")
			fmt.Fprintf(b, "%s: []model.ID{%s},\n", fault.name, strings.ReplaceAll(text, " ", ", "))
		}
	}
	if len(s.Budgets) > 0 {
		fmt.Fprintf(b, "Budgets: map[string]int{%s},\n", pairs(s.Budgets, strconv.Itoa))
	}
	b.WriteString("},\n")
}

func pairs(m map[string]int, text func(int) string) string {
	var list []string
	for _, key := range slices.Sorted(maps.Keys(m)) {
		list = append(list, strconv.Quote(key)+": "+text(m[key]))
	}
	return strings.Join(list, ", ")
}

// camel makes words a part of a name: "no two lead" is NoTwoLead.
func camel(text string) string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i, w := range words {
		r := []rune(w)
		r[0] = unicode.ToUpper(r[0])
		words[i] = string(r)
	}
	return strings.Join(words, "")
}

// comment keeps a text on its line.
func comment(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	return printable.Line(text)
}
