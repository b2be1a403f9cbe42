// Package vet finds handlers that are not pure by construction.
//
// caulk explores an algorithm by asking each handler once for each pair of
// state and message, so that a handler must answer the same whenever it is
// asked, and leave what it is given as it is. explorer notices a handler that
// does not when it runs; Analyzer notices it in the source.
//
// What it looks at are the methods of agents, the functions of their own
// actions, observers and properties, and the functions of the same package that
// these name. It does not look into other packages, and follows neither
// interfaces nor values that were put into a data structure. A function with the
// line //caulk:impure in its comment is left alone: it is impure on purpose, in a
// test for instance.
package vet

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/analysis"
)

// Analyzer reports handlers that are not pure. It has no flags, and no state
// that its runs share.
func Analyzer() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "caulk",
		Doc:  "report handlers of caulk's agents that are not pure functions\n\nEach report says what to do instead.",
		URL:  "https://pkg.go.dev/github.com/caulk-go/caulk/vet",
		Run:  run,
	}
}

const modelPath = "github.com/caulk-go/caulk/model"

// checker is one run over one package.
type checker struct {
	pass   *analysis.Pass
	decls  map[*types.Func]*ast.FuncDecl
	agents map[*types.TypeName]bool
	writes map[*types.Func]map[paramPart]bool // what of its parameters a function writes through
	seen   map[ast.Node]bool                  // functions that were looked at
	said   map[ast.Node]bool                  // nodes that were reported
}

func run(pass *analysis.Pass) (any, error) {
	c := &checker{
		pass: pass, decls: map[*types.Func]*ast.FuncDecl{}, agents: map[*types.TypeName]bool{},
		writes: map[*types.Func]map[paramPart]bool{}, seen: map[ast.Node]bool{}, said: map[ast.Node]bool{},
	}
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				if obj, ok := pass.TypesInfo.Defs[fn.Name].(*types.Func); ok {
					c.decls[obj] = fn
				}
			}
		}
	}
	c.findAgents()
	roots := c.roots()
	if len(roots) == 0 {
		return nil, nil
	}
	c.summarise()
	for _, r := range roots {
		c.check(r)
	}
	return nil, nil
}

// function is one to look at.
type function struct {
	node ast.Node // an *ast.FuncDecl or an *ast.FuncLit
	what string   // what it is to its reader: "Receive of node"
	root bool     // caulk calls it, with its own parameters
}

func (f function) body() *ast.BlockStmt {
	if d, ok := f.node.(*ast.FuncDecl); ok {
		return d.Body
	}
	return f.node.(*ast.FuncLit).Body
}

// check looks at a function, and at those of the package that it names.
func (c *checker) check(f function) {
	if c.seen[f.node] || meant(f.node) {
		return
	}
	c.seen[f.node] = true
	c.impurities(f)
	c.mapRanges(f)
	if f.root {
		c.argumentWrites(f)
	}
	ast.Inspect(f.body(), func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		obj, ok := c.pass.TypesInfo.Uses[id].(*types.Func)
		if !ok {
			return true
		}
		if d := c.decls[obj.Origin()]; d != nil {
			c.check(function{d, obj.Name() + ", which " + caller(f.what) + " calls,", false})
		}
		return true
	})
}

// meant says whether a function's comment says that it is impure on purpose.
func meant(node ast.Node) bool {
	d, ok := node.(*ast.FuncDecl)
	if !ok || d.Doc == nil {
		return false
	}
	for _, line := range d.Doc.List {
		if line.Text == "//caulk:impure" {
			return true
		}
	}
	return false
}

// report says what is wrong and what to do, once for each node.
func (c *checker) report(at ast.Node, f function, format string, args ...any) {
	if c.said[at] {
		return
	}
	c.said[at] = true
	c.pass.Reportf(at.Pos(), "%s "+format, append([]any{f.what}, args...)...)
}
