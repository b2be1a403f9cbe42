package tidy

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"strconv"
)

// checkInit: what runs before main runs for every importer, asked or not.
func checkInit(p *Package, report reporter) {
	for _, f := range p.Files {
		for _, d := range f.Syntax.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				report(fn.Pos(), "an init function runs behind its importers' backs: let them call it")
			}
		}
	}
}

// checkSleep: a test that sleeps is slow, and fails on a slower machine.
func checkSleep(p *Package, report reporter) {
	for _, f := range p.Files {
		clock := importName(f.Syntax, "time")
		if !f.Test || clock == "" {
			continue
		}
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "Sleep" {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == clock {
					report(s.Pos(), "a test waits for what it waits for, by a channel or testing/synctest: it does not sleep")
				}
			}
			return true
		})
	}
}

// importName is what a file calls a package of the standard library whose last
// element is its name, or "".
func importName(f *ast.File, path string) string {
	for _, spec := range f.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err != nil || p != path {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name
		}
		return path
	}
	return ""
}

// later matches the marks of work put off; it is spelled so that it does not
// match itself.
var later = regexp.MustCompile(`\b(TOD[O]|FIXM[E]|XX[X])\b`)

func checkWords(p *Package, report reporter) {
	for _, f := range p.Files {
		for _, g := range f.Syntax.Comments {
			for _, c := range g.List {
				if m := later.FindString(c.Text); m != "" {
					report(c.Pos(), "%s: do it, or file an issue", m)
				}
			}
		}
	}
}

// checkState: nothing assigns to a variable of a package, or takes its address
// to have somebody else do so. Methods with a pointer receiver and contents
// behind slices and maps are beyond it, and so are tests, whose flags are such
// variables.
func checkState(p *Package, report reporter) {
	global := func(e ast.Expr) bool {
		id := root(p.Info, e)
		if id == nil {
			return false
		}
		v, ok := p.Info.Uses[id].(*types.Var)
		return ok && !v.IsField() && v.Parent() == v.Pkg().Scope()
	}
	for _, f := range p.Files {
		if f.Test {
			continue
		}
		ast.Inspect(f.Syntax, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, l := range n.Lhs {
					if n.Tok != token.DEFINE && global(l) {
						report(l.Pos(), "a variable of a package is never assigned: pass the value on")
					}
				}
			case *ast.IncDecStmt:
				if global(n.X) {
					report(n.Pos(), "a variable of a package is never assigned: pass the value on")
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND && global(n.X) {
					report(n.Pos(), "the address of a package's variable lets others change it: pass the value on")
				}
			}
			return true
		})
	}
}

// root is the variable that an expression reads or changes a part of: a of
// a.b[c]; nil if there is none.
func root(info *types.Info, e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.ParenExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.SelectorExpr:
			if id, ok := x.X.(*ast.Ident); ok {
				if _, qualified := info.Uses[id].(*types.PkgName); qualified {
					return x.Sel
				}
			}
			e = x.X
		default:
			return nil
		}
	}
}
