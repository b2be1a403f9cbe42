package tidy

import (
	"fmt"
	"go/token"
	"go/types"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestHouse checks caulk itself.
func TestHouse(t *testing.T) {
	packages, err := Load("../..")
	if err != nil {
		t.Fatal(err)
	}
	if len(packages) < 5 {
		t.Fatalf("only %d packages were found", len(packages))
	}
	for _, p := range packages {
		for _, problem := range Check(p) {
			t.Error(problem)
		}
	}
}

// seed is a package that breaks a rule, or that shows what does not break it.
type seed struct {
	name  string
	dir   string // internal/canonical where none is given
	file  string // p.go where none is given
	text  string // what follows the package clause
	whole string // the whole file, in place of text
	want  []string
}

func (s seed) source() string {
	if s.whole != "" {
		return s.whole
	}
	return "// Package p is a seed.\npackage p\n\n" + s.text
}

// run checks the seeds: each must have the problems that it wants, line by
// line, and no others.
func run(t *testing.T, seeds []seed) {
	list, err := goList(".", "maps", "slices", "sort", "reflect", "time", "os", "fmt", "math/rand/v2")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range seeds {
		t.Run(s.name, func(t *testing.T) {
			dir, file := "internal/canonical", "p.go"
			if s.dir != "" {
				dir = s.dir
			}
			if s.file != "" {
				file = s.file
			}
			fset := token.NewFileSet()
			p, err := parse(fset, lenient{newImporter(fset, list)}, dir, map[string]string{file: s.source()}, nil)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, problem := range Check(p) {
				got = append(got, fmt.Sprintf("%d: %s", problem.Pos.Line, problem.Text))
			}
			if diff := cmp.Diff(s.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

// lenient imports an empty package for what go list was not asked for.
type lenient struct{ types.Importer }

func (l lenient) Import(name string) (*types.Package, error) {
	if strings.Contains(name, ".") {
		p := types.NewPackage(name, path.Base(name))
		p.MarkComplete()
		return p, nil
	}
	return l.Importer.Import(name)
}

func TestImports(t *testing.T) {
	run(t, []seed{
		{name: "model and the clock", dir: "model", text: `import _ "time"`, want: []string{"4: model is pure and does not import time"}},
		{name: "algos and chance", dir: "algos/paxos", text: `import _ "math/rand/v2"`, want: []string{"4: algos is pure and does not import math/rand/v2"}},
		{name: "algos and a module", dir: "algos", text: `import _ "github.com/google/go-cmp/cmp"`, want: []string{"4: algos imports the standard library only, not github.com/google/go-cmp/cmp"}},
		{name: "algos and the explorer", dir: "algos", text: `import _ "github.com/caulk-go/caulk/explorer"`, want: []string{"4: algos does not import explorer: imports point inward"}},
		{name: "algos and its own and model", dir: "algos", text: "import _ \"github.com/caulk-go/caulk/algos/paxos\"\nimport _ \"github.com/caulk-go/caulk/model\""},
		{name: "explorer and an algorithm", dir: "explorer", text: `import _ "github.com/caulk-go/caulk/algos/paxos"`, want: []string{"4: explorer does not import algos/paxos: imports point inward"}},
		{name: "the same in its tests", dir: "explorer", file: "p_test.go", text: `import _ "github.com/caulk-go/caulk/algos"`},
		{name: "cli and the algorithms", dir: "cli", text: `import _ "github.com/caulk-go/caulk/algos"`, want: []string{"4: cli does not import algos: imports point inward"}},
		{name: "cmd and the algorithms", dir: "cmd/caulk", text: `import _ "github.com/caulk-go/caulk/algos"`},
		{name: "scenario and diagrams", dir: "scenario", text: `import _ "github.com/caulk-go/caulk/graphviz"`, want: []string{"4: scenario does not import graphviz: imports point inward"}},
		{name: "explorer and the clock", dir: "explorer", text: `import _ "time"`},
		{name: "a new folder", dir: "attic", text: ``, want: []string{"2: attic has no place in the order of packages: give it one in internal/tidy/imports.go"}},
	})
}

func TestDocs(t *testing.T) {
	run(t, []seed{
		{name: "package", whole: "package p\n", want: []string{"1: package p has no doc comment"}},
		{name: "function", text: "func F() {}\n\n// G is one.\nfunc G() {}\nfunc h() { h() }", want: []string{"4: F has no doc comment"}},
		{name: "method", text: "// T is a type.\ntype T int\n\nfunc (t *T) M() {}\nfunc (t T) String() string { return \"\" }\n\ntype u int\n\nfunc (u) M() {}\n\nvar _ = u(0).M", want: []string{"7: M has no doc comment"}},
		{name: "generic method", text: "// T is a type.\ntype T[A any] struct{}\n\nfunc (t T[A]) M() {}", want: []string{"7: M has no doc comment"}},
		{name: "type", text: "type T int\n\n// These are two.\ntype (\n\t// U is one.\n\tU int\n\tV int\n\tW int // one too\n)", want: []string{"4: T has no doc comment", "10: V has no doc comment"}},
		{name: "constants", text: "const A = 1\n\n// The others.\nconst (\n\tB = 2\n)\n\nconst (\n\tC = 3 // three\n\tD = 4\n)", want: []string{"4: A has no doc comment", "13: D has no doc comment"}},
		{name: "test", file: "p_test.go", text: "func F() {}"},
	})
}

func TestLengths(t *testing.T) {
	lines := func(n int) string { return strings.Repeat("\n", n) }
	run(t, []seed{
		{name: "60 lines", text: "func f() {" + lines(59) + "}\n\nvar _ = f"},
		{name: "61 lines", text: "func f() {" + lines(60) + "}\n\nvar _ = f", want: []string{"4: f has 61 lines, more than 60: split it by its steps"}},
		{name: "61 lines with a reason", text: "//tidy:long a table\nfunc f() {" + lines(60) + "}\n\nvar _ = f"},
		{name: "61 lines without a reason", text: "//tidy:long\nfunc f() {" + lines(60) + "}\n\nvar _ = f", want: []string{"4: a directive says why the rule is broken here"}},
		{name: "a reason for nothing", text: "//tidy:long a table\nfunc f() {}\n\nvar _ = f", want: []string{"4: this directive excuses nothing: remove it"}},
		{name: "300 lines", whole: "// Package p is a seed.\npackage p" + lines(299)},
		{name: "301 lines", whole: "// Package p is a seed.\npackage p" + lines(300), want: []string{"2: 301 lines are more than 300: split the file by its ideas"}},
		{name: "301 lines with a reason", whole: "//tidy:long a table\n\n// Package p is a seed.\npackage p" + lines(298)},
		{name: "91 lines in a test", file: "p_test.go", text: "func f() {" + lines(90) + "}", want: []string{"4: f has 91 lines, more than 90: split it by its steps"}},
		{name: "90 lines in a test", file: "p_test.go", text: "func f() {" + lines(89) + "}"},
		{name: "451 lines of tests", file: "p_test.go", whole: "package p" + lines(451), want: []string{"1: 451 lines are more than 450: split the file by its ideas"}},
		{name: "a generated file", whole: "// Code generated by hand. DO NOT EDIT.\n\npackage p" + lines(400)},
	})
}

func TestSmall(t *testing.T) {
	run(t, []seed{
		{name: "init", text: "func init() {}", want: []string{"4: an init function runs behind its importers' backs: let them call it"}},
		{name: "sleep", file: "p_test.go", text: "import clock \"time\"\n\nfunc f() { clock.Sleep(clock.Second) }", want: []string{"6: a test waits for what it waits for, by a channel or testing/synctest: it does not sleep"}},
		{name: "sleep outside tests", text: "import \"time\"\n\nfunc f() { time.Sleep(time.Second) }\n\nvar _ = f"},
		{name: "later", text: "func f() {} // TOD" + "O: everything\n\nvar _ = f", want: []string{"4: TOD" + "O: do it, or file an issue"}},
		{name: "later in a test", file: "p_test.go", text: "// XX" + "X\nfunc f() {}", want: []string{"4: XX" + "X: do it, or file an issue"}},
		{name: "state", text: "var n int\nvar m = map[int]int{}\n\nfunc f() {\n\tn = 1\n\tn++\n\tm[1] = 2\n\tp := &n\n\t_ = p\n}\n\nvar _ = f", want: []string{
			"8: a variable of a package is never assigned: pass the value on",
			"9: a variable of a package is never assigned: pass the value on",
			"10: a variable of a package is never assigned: pass the value on",
			"11: the address of a package's variable lets others change it: pass the value on",
		}},
		{name: "another package's state", text: "import \"os\"\n\nfunc f() { os.Args = nil }\n\nvar _ = f", want: []string{"6: a variable of a package is never assigned: pass the value on"}},
		{name: "local state", text: "type t struct{ n int }\n\nfunc f(n int, s t) *int {\n\tn++\n\ts.n = n\n\treturn &n\n}\n\nvar _ = f"},
	})
}
