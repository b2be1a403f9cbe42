package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// mapRanges reports loops over maps whose order shows: what is appended to a
// list that is not sorted afterwards, or to a text, or decides which of several
// values is returned.
func (c *checker) mapRanges(f function) {
	const instead = ": range over slices.Sorted(maps.Keys(m))"
	ast.Inspect(f.body(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			if n.Key == nil && n.Value == nil || !is[*types.Map](c, n.X) && !c.isMapIterator(n.X) {
				return true
			}
			if what := c.ordered(f, n); what != "" {
				c.report(n, f, "ranges over a map, and %s"+instead, what)
			}
		case *ast.CallExpr:
			fn := c.callee(n)
			if fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "slices" && fn.Name() == "Collect" && c.isMapIterator(n.Args[0]) && !c.sortedAfter(f, c.assignedTo(f, n), n.End()) {
				c.report(n, f, "collects from a map in an order that differs each time: use slices.Sorted")
			}
		}
		return true
	})
}

// isMapIterator says whether an expression is maps.Keys or the like.
func (c *checker) isMapIterator(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := c.callee(call)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "maps" && (fn.Name() == "Keys" || fn.Name() == "Values" || fn.Name() == "All")
}

// ordered says what of a loop shows its order; empty for nothing that is known.
func (c *checker) ordered(f function, loop *ast.RangeStmt) (what string) {
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				v, ok := c.pass.TypesInfo.Uses[c.rootIdent(left)].(*types.Var)
				if !ok || v.Pos() >= loop.Pos() && v.Pos() < loop.End() {
					continue
				}
				switch {
				case n.Tok == token.ADD_ASSIGN && c.isText(left):
					what = "adds to a text in its order"
				case i < len(n.Rhs) && c.isAppend(n.Rhs[i]) && !c.sortedAfter(f, v, loop.End()):
					what = "appends in its order to " + v.Name() + ", which is not sorted afterwards"
				}
			}
		case *ast.ReturnStmt:
			for _, r := range n.Results {
				if c.names(r, loop.Key) || c.names(r, loop.Value) {
					what = "returns what it meets first"
				}
			}
		}
		return true
	})
	return what
}

func (c *checker) isText(e ast.Expr) bool {
	t, ok := c.pass.TypesInfo.TypeOf(e).Underlying().(*types.Basic)
	return ok && t.Info()&types.IsString != 0
}

func (c *checker) isAppend(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	id, ok := call.Fun.(*ast.Ident)
	return ok && id.Name == "append"
}

// names says whether an expression uses the variable that another one is.
func (c *checker) names(e, variable ast.Expr) (used bool) {
	id, ok := variable.(*ast.Ident)
	if !ok {
		return false
	}
	obj := c.pass.TypesInfo.ObjectOf(id)
	ast.Inspect(e, func(n ast.Node) bool {
		x, ok := n.(*ast.Ident)
		used = used || ok && obj != nil && c.pass.TypesInfo.Uses[x] == obj
		return true
	})
	return used
}

// assignedTo is the variable that a call's result goes to; nil for none.
func (c *checker) assignedTo(f function, call *ast.CallExpr) (v *types.Var) {
	ast.Inspect(f.body(), func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && len(a.Rhs) == 1 && a.Rhs[0] == ast.Expr(call) {
			if id, ok := a.Lhs[0].(*ast.Ident); ok {
				v, _ = c.pass.TypesInfo.ObjectOf(id).(*types.Var)
			}
		}
		return true
	})
	return v
}

// sortedAfter says whether a variable is sorted behind a place: by slices, sort,
// or a function whose name begins with sort.
func (c *checker) sortedAfter(f function, v *types.Var, after token.Pos) (sorted bool) {
	ast.Inspect(f.body(), func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() < after || len(call.Args) == 0 || v == nil {
			return true
		}
		fn := c.callee(call)
		if fn == nil || c.pass.TypesInfo.Uses[c.rootIdent(call.Args[0])] != types.Object(v) {
			return true
		}
		sorted = sorted || strings.HasPrefix(strings.ToLower(fn.Name()), "sort") || fn.Pkg() != nil && fn.Pkg().Path() == "sort"
		return true
	})
	return sorted
}
