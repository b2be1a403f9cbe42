package cli

import (
	"cmp"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/internal/gotest"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

const testCategory = "The test"

// testFlags say how the test names things, and where it goes.
func testFlags() []urfave.Flag {
	return []urfave.Flag{
		&urfave.StringFlag{Name: "expr", Category: testCategory, Usage: "`EXPR` what your main gives to cli.Main: a Go expression of type []model.Algorithm (default: algos.All(), for the algorithms that come with caulk)"},
		&urfave.StringFlag{Name: "import", Category: testCategory, Usage: "`PATH` import path of the package that the expression names, or NAME=PATH (default: none, the expression is about the package that the test is in)"},
		&urfave.StringFlag{Name: "package", Category: testCategory, Usage: "`NAME` package clause of the test (default: by the Go files in the folder of --out)"},
		&urfave.StringFlag{Name: "out", Category: testCategory, Usage: "`FILE` where to write the test, such as raft/found_test.go (default: standard output)"},
	}
}

// testCommand writes a Go test from a counterexample.
func (p *program) testCommand() *urfave.Command {
	return &urfave.Command{
		Name:      "test",
		Usage:     "write a Go test that makes the moves to a violation again",
		ArgsUsage: "[PATH.json]",
		Description: `Searches as explore does, and writes a test for what it finds: for the nearest violation; or, if no property is violated, for each pair of agent state and message that goes awry. With the file of a path, as replay takes it, there is no search: the test is of that path. The test fails as long as its moves lead to where something is wrong, and passes when they do not. Moves that are no longer possible are left out; where none is possible, the test is skipped.

The test finds your algorithm by the expression that your main gives to cli.Main. If that is raft.All(), from a package of its own:

  ` + p.name + ` test --algo NAME --expr 'raft.All()' --import example.org/raft --out raft_test.go

If it is []model.Algorithm{algorithm()}, of a function of package main itself, the test belongs in the folder of that package:

  ` + p.name + ` test --algo NAME --expr '[]model.Algorithm{algorithm()}' --out found_test.go

The exit status tells what came of it:

  0  a test was written; or nothing is wrong, and so nothing was
  1  a property is violated for which there is no path, since it is one
     that some state should have and none has
  2  bad usage
  3  a limit or an interrupt ended the search before anything was found

With a file, where its path does not lead to a violation: 0 if every move is possible, and 125 if one is not.`,
		Flags:  slices.Concat(systemFlags(), faultFlags(), withoutFlags(orderFlags(), "keep-going"), boundFlags(), testFlags()),
		Action: p.test,
	}
}

func (p *program) test(c *urfave.Context) error {
	names := c.Args().Slice()
	if len(names) > 1 {
		return usagef("test takes one path at a time, but %q follows %q", names[1], names[0])
	}
	var path *trace.Path
	var sys model.System
	var err error
	if len(names) == 1 {
		path, sys, err = p.pathToTest(c, names[0])
	} else {
		sys, err = p.system(c, nil)
	}
	if err != nil {
		return err
	}
	out, err := newTarget(cmp.Or(c.String("out"), "-"))
	if err != nil {
		return err
	}
	file, err := p.testFile(c, &sys)
	if err != nil {
		return err
	}
	var nothing string // why no test is written
	if path != nil {
		nothing, err = p.testOfPath(&sys, path, file)
	} else {
		nothing, err = p.testOfSearch(c, &sys, file)
	}
	if err != nil {
		return err
	}
	if nothing != "" {
		fmt.Fprintf(p.std.Err, "%s: no test is written: %s\n", p.name, nothing)
		return nil
	}
	source, err := file.Source()
	if err != nil {
		return err
	}
	return out.write(source, p.std.Out)
}

// pathToTest reads a path, and makes its system.
func (p *program) pathToTest(c *urfave.Context, name string) (*trace.Path, model.System, error) {
	for _, f := range slices.Concat(withoutFlags(orderFlags(), "keep-going"), boundFlags()) {
		if flag := f.Names()[0]; c.IsSet(flag) {
			return nil, model.System{}, usagef("--%s: the path is in %s, so that nothing is searched", flag, name)
		}
	}
	path, err := p.readPath(name)
	if err != nil {
		return nil, model.System{}, err
	}
	if path.Setting != nil && path.Setting.From != "" {
		return nil, model.System{}, fmt.Errorf("%s begins in %s, a state of a trace, which a Go test does not have: use %s replay", name, path.Setting.From, p.name)
	}
	sys, err := p.system(c, path.Setting)
	return &path, sys, err
}

// testFile is the file without its tests. All that can be wrong with how it
// names things is said here, before anything is searched.
func (p *program) testFile(c *urfave.Context, sys *model.System) (*gotest.File, error) {
	f := &gotest.File{Algorithms: c.String("expr"), Import: c.String("import")}
	if name, path, named := strings.Cut(f.Import, "="); named {
		f.ImportName, f.Import = name, path
	}
	if f.Algorithms == "" {
		algorithm, err := p.algorithm(sys.Name)
		if err != nil {
			return nil, err
		}
		made := packageOf(algorithm)
		const own = modulePath + "/algos"
		switch {
		case f.Import != "":
			return nil, usagef("--import goes with --expr: say what of the package is the list of algorithms")
		case made != own && !strings.HasPrefix(made, own+"/"):
			return nil, usagef("say with --expr what your main gives to cli.Main, and with --import which package that is about: %s is made in %s", sys.Name, made)
		}
		f.Algorithms, f.Import = "algos.All()", own
	}
	if f.Package = c.String("package"); f.Package == "" {
		folder := "."
		if name := c.String("out"); name != "" && name != "-" {
			folder = filepath.Dir(name)
		}
		f.Package = packageIn(folder)
		switch {
		case f.Import != "":
			f.Package = cmp.Or(f.Package, "caulk") + "_test"
		case f.Package == "":
			return nil, usagef("say with --package which package the test is in: there is no Go file in %s", folder)
		}
	}
	err := f.Check()
	var part *gotest.PartError
	if errors.As(err, &part) {
		return nil, usagef("--%s: %s", part.Part, part)
	}
	return f, err
}

// packageOf is the import path of the package whose function makes an
// algorithm's systems.
func packageOf(a *model.Algorithm) string {
	name := runtime.FuncForPC(reflect.ValueOf(a.Make).Pointer()).Name()
	slash := strings.LastIndex(name, "/") + 1
	last, _, _ := strings.Cut(name[slash:], ".")
	return name[:slash] + strings.ReplaceAll(last, "%2e", ".")
}

// packageIn is the name of the package in a folder, tests apart; empty if there
// is none.
func packageIn(folder string) string {
	entries, err := os.ReadDir(folder) // sorted by name
	if err != nil {
		return ""
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(folder, name), nil, parser.PackageClauseOnly)
		if err == nil {
			return file.Name.Name
		}
	}
	return ""
}

// testOfPath adds the test of a path, or says why there is none.
func (p *program) testOfPath(sys *model.System, path *trace.Path, file *gotest.File) (nothing string, err error) {
	o, err := trace.Replay(sys, *path)
	if err != nil {
		return "", err
	}
	switch o.Verdict {
	case trace.Fixed:
		return o.String(), nil
	case trace.Diverged:
		p.status = statusDiverged
		return o.String(), nil
	}
	file.Tests = []gotest.Test{p.testOfOutcome(*path, trace.SettingOf(sys), o)}
	return "", nil
}

// testOfOutcome is the test of a path that still fails.
func (p *program) testOfOutcome(path trace.Path, setting trace.Setting, o trace.Outcome) gotest.Test {
	subject, reason := path.Property, ""
	if o.Panic != nil {
		subject, reason = noPanic, fmt.Sprintf("%s panics: %s", o.Panic.Site, o.Panic.Value)
	}
	for _, f := range o.Failures {
		subject, reason = cmp.Or(subject, f.Property, f.Reason), cmp.Or(reason, f.String())
	}
	return gotest.Test{
		Subject: subject, Reason: reason, Command: p.exploring(setting),
		Path: trace.Path{Setting: &setting, Property: path.Property, LoopFrom: path.LoopFrom, Steps: o.Steps()},
	}
}

// testOfSearch adds the tests of what a search finds, or says why there is
// none.
func (p *program) testOfSearch(c *urfave.Context, sys *model.System, file *gotest.File) (nothing string, err error) {
	options, err := searchOptions(c, sys)
	if err != nil {
		return "", err
	}
	options.Graph = explorer.LabelGraph // pairs are gathered along with it, however large the system
	if options.Search == explorer.Random {
		options.Graph = explorer.NoGraph
	}
	r, err := p.search(c, sys, options, &outputs{})
	if err != nil {
		return "", err
	}
	setting := r.Setting
	setting.OtherStarts = nil // a path leads from one of them
	if v := r.Violation; v != nil {
		if v.Start != nil {
			setting.Starts = v.Start
		}
		file.Tests = []gotest.Test{{
			Subject: v.Property, Reason: v.Property + ": " + v.Reason, Command: p.commandLine(c, p.exploreCommand()),
			Path: trace.Path{Setting: &setting, Property: v.Property, LoopFrom: v.LoopFrom, Steps: v.Path},
		}}
		return "", nil
	}
	if r.Awry != nil {
		for _, a := range *r.Awry {
			file.Tests = append(file.Tests, gotest.Test{
				Subject: a.AgentState + " " + a.Message, Reason: fmt.Sprintf("an agent in %s receives %s and halts", a.AgentState, a.Message),
				Command: p.commandLine(c, p.listCommand()), Path: trace.Path{Setting: &setting, Steps: a.Path},
			})
		}
	}
	if len(file.Tests) > 0 {
		return "", nil
	}
	p.status = statusOf(r)
	return fmt.Sprintf("%s: %s", r.Verdict, verdictText(r)), nil
}

// exploring is the command that explores a setting.
func (p *program) exploring(s trace.Setting) string {
	return trace.CommandLine(append([]string{p.name, p.exploreCommand().Name}, s.Flags()...)...)
}
