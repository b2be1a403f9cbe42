// Package tidy checks the house rules that a program can check. They are a
// test of this package, so that go test ./... says where one is broken.
//
// A rule that makes the code worse is broken with a directive that says why:
//
//	//tidy:long the table of the protocol, row by row
//
// before a function, or before a package clause for the whole file, lets it be
// long; //tidy:unordered, on a range over a map or the line before, says why
// the order does not matter. A directive that is not needed is itself reported.
package tidy

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// Problem is one place where a rule is broken.
type Problem struct {
	Pos  token.Position
	Rule string
	Text string // what is wrong, and what to do
}

func (p Problem) String() string { return fmt.Sprintf("%s: %s (%s)", p.Pos, p.Text, p.Rule) }

// Check lists where a package breaks a rule, in order of place.
func Check(p *Package) []Problem {
	var problems []Problem
	for _, r := range rules() {
		r.check(p, func(pos token.Pos, format string, args ...any) {
			problems = append(problems, Problem{p.Fset.Position(pos), r.name, fmt.Sprintf(format, args...)})
		})
	}
	slices.SortStableFunc(problems, func(a, b Problem) int {
		return cmp.Or(strings.Compare(a.Pos.Filename, b.Pos.Filename), cmp.Compare(a.Pos.Line, b.Pos.Line), strings.Compare(a.Text, b.Text))
	})
	return problems
}

type reporter func(pos token.Pos, format string, args ...any)

type rule struct {
	name  string
	check func(p *Package, report reporter)
}

func rules() []rule {
	return []rule{
		{"imports point inward", checkImports},
		{"exported names have a doc comment", checkDocs},
		{"files and functions are short", checkLengths},
		{"whatever is enumerated has an order", checkOrder},
		{"no package-level mutable state", checkState},
		{"no init function", checkInit},
		{"tests do not sleep", checkSleep},
		{"nothing is left for later", checkWords},
	}
}

// directive finds //tidy:name in a comment and gives what stands behind it.
func directive(comments *ast.CommentGroup, name string) (at *ast.Comment, why string) {
	if comments == nil {
		return nil, ""
	}
	for _, c := range comments.List {
		if rest, ok := strings.CutPrefix(c.Text, "//tidy:"+name); ok && (rest == "" || rest[0] == ' ') {
			return c, strings.TrimSpace(rest)
		}
	}
	return nil, ""
}

// excused says whether a directive excuses what is wrong, and reports one that
// gives no reason or excuses nothing.
func excused(at *ast.Comment, why string, wrong bool, report reporter) bool {
	switch {
	case at == nil:
		return false
	case !wrong:
		report(at.Pos(), "this directive excuses nothing: remove it")
	case why == "":
		report(at.Pos(), "a directive says why the rule is broken here")
	}
	return true
}
