package gotest_test

import (
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/internal/gotest"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

func file(tests ...gotest.Test) gotest.File {
	return gotest.File{Package: "x_test", Algorithms: "x.All()", Import: "example.org/x", Tests: tests}
}

func source(t *testing.T, f gotest.File) string {
	t.Helper()
	text, err := f.Source()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.ParseFile(token.NewFileSet(), "", text, parser.AllErrors); err != nil {
		t.Errorf("it is no Go: %v\n%s", err, text)
	}
	return string(text)
}

func TestSourceSaysTheWholeSetting(t *testing.T) {
	text := source(t, file(gotest.Test{Subject: "no two lead", Reason: "both lead", Command: "caulk explore", Path: trace.Path{
		Setting: &trace.Setting{
			Algo: "x-y", Agents: 4, Params: map[string]int{"b": 2, "a": -1}, Starts: map[model.ID]string{2: "`\"", 1: ""},
			Network: "fifo", Lossy: true, Wipe: []model.ID{1, 2}, Restart: []model.ID{3}, Crash: []model.ID{4},
			Budgets: map[string]int{"wipes": 1},
		},
		Property: "no two lead", LoopFrom: new(1),
		Steps: []trace.Step{{Label: "a", State: "S"}, {Label: "b", Body: `{"x"}`}},
	}}))
	for _, line := range []string{
		`func TestXYNoTwoLead(t *testing.T) {`,
		`		Params:  map[string]int{"a": -1, "b": 2},`,
		"Starts:  map[model.ID]string{1: \"\", 2: \"`\\\"\"},",
		`Network: "fifo",`, `Lossy:   true,`, `Wipe:    []model.ID{1, 2},`, `Restart: []model.ID{3},`, `Crash:   []model.ID{4},`,
		`Budgets: map[string]int{"wipes": 1},`, `LoopFrom: new(1), // the moves`,
		`{Label: "a"}, // S`, `{Label: "b", Body: "{\"x\"}"},`,
	} {
		if !strings.Contains(text, line) {
			t.Errorf("there is no %s in\n%s", line, text)
		}
	}
}

// What algorithms and their authors say cannot break out of a comment or a
// string, nor make two functions of one name.
func TestSourceOfOddNames(t *testing.T) {
	odd := gotest.Test{Subject: "\n}*/ é!", Reason: "one\nfunc two() {}", Command: "a\rb", Path: trace.Path{
		Setting: &trace.Setting{Algo: "9 \"lives\"\n", Agents: 1},
		Steps:   []trace.Step{{Label: "\"\n", State: "x\ny"}},
	}}
	text := source(t, file(odd, odd))
	for _, want := range []string{"func Test9LivesÉ(", "func Test9LivesÉ_2(", `{Label: "\"\n"}, // x`} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %s in\n%s", want, text)
		}
	}
	if strings.Contains(text, "func two") || strings.Contains(text, "caulk/model") {
		t.Errorf("what does not belong is in\n%s", text)
	}
}

func TestCheck(t *testing.T) {
	for want, change := range map[string]func(f *gotest.File){
		"package":         func(f *gotest.File) { f.Package = "func" },
		"package: no":     func(f *gotest.File) { f.Package = "" },
		"expr":            func(f *gotest.File) { f.Algorithms = "x.All(" },
		"expr: two lines": func(f *gotest.File) { f.Algorithms = "x.All(\n)" },
		"import":          func(f *gotest.File) { f.Import = `a"b` },
		"import: name":    func(f *gotest.File) { f.ImportName = "a b" },
		"import: clash":   func(f *gotest.File) { f.Import = "example.org/trace" },
		"":                func(f *gotest.File) { f.Import = "example.org/trace"; f.ImportName = "mine" },
	} {
		f := file()
		change(&f)
		part, _, _ := strings.Cut(want, ":")
		err := f.Check()
		if wrong, ok := err.(*gotest.PartError); (part != "") != ok || ok && wrong.Part != part {
			t.Errorf("%s: %v", want, err)
		}
	}
	f := file(gotest.Test{})
	if _, err := f.Source(); err == nil || !strings.Contains(err.Error(), "no setting") {
		t.Errorf("without a setting: %v", err)
	}
}
