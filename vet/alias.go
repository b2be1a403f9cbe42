package vet

import (
	"go/ast"
	"go/token"
	"go/types"
)

// shares tells, while one goes through a function in the order of its source,
// what of its variables shares memory with its parameters. It is not exact: it
// takes what a branch does for done.
type shares struct {
	c     *checker
	of    map[types.Object]int // the parameter that a variable shares memory with; the receiver is -1
	names map[int]string
	fresh map[string]bool // selections of such variables that were given something of their own
}

func (c *checker) newShares(node ast.Node) *shares {
	s := &shares{c, map[types.Object]int{}, map[int]string{}, map[string]bool{}}
	add := func(list *ast.FieldList, number int) {
		if list == nil {
			return
		}
		for _, field := range list.List {
			for _, name := range field.Names {
				s.of[c.pass.TypesInfo.Defs[name]] = number
				s.names[number] = name.Name
				number++
			}
			if len(field.Names) == 0 {
				number++
			}
		}
	}
	switch f := node.(type) {
	case *ast.FuncDecl:
		add(f.Recv, -1)
		add(f.Type.Params, 0)
	case *ast.FuncLit:
		add(f.Type.Params, 0)
	}
	return s
}

// param is the parameter that an expression's value shares memory with.
func (s *shares) param(e ast.Expr) (int, bool) {
	if s.fresh[types.ExprString(e)] {
		return 0, false
	}
	switch e := e.(type) {
	case *ast.Ident:
		number, ok := s.of[s.c.pass.TypesInfo.Uses[e]]
		return number, ok
	case *ast.ParenExpr:
		return s.param(e.X)
	case *ast.SelectorExpr:
		return s.param(e.X)
	case *ast.IndexExpr:
		return s.param(e.X)
	case *ast.SliceExpr:
		return s.param(e.X)
	case *ast.StarExpr:
		return s.param(e.X)
	case *ast.TypeAssertExpr:
		return s.param(e.X)
	case *ast.CallExpr:
		if t, ok := s.c.pass.TypesInfo.Types[e.Fun]; ok && t.IsType() && len(e.Args) == 1 {
			return s.param(e.Args[0]) // a conversion
		}
	}
	return 0, false
}

// through is the parameter whose memory a write to an expression changes, and
// whether it changes only what a pointer that is itself the parameter points
// to.
func (s *shares) through(left ast.Expr) (number int, shallow, ok bool) {
	for {
		var base ast.Expr
		follows := false
		switch e := left.(type) {
		case *ast.ParenExpr:
			base = e.X
		case *ast.StarExpr:
			base, follows = e.X, true
		case *ast.SelectorExpr:
			base, follows = e.X, is[*types.Pointer](s.c, e.X)
		case *ast.IndexExpr:
			base, follows = e.X, !is[*types.Array](s.c, e.X)
		case *ast.SliceExpr:
			base = e.X
		default:
			return 0, false, false
		}
		if follows {
			if number, ok := s.param(base); ok {
				_, direct := ast.Unparen(base).(*ast.Ident)
				return number, direct && is[*types.Pointer](s.c, base), true
			}
		}
		left = base
	}
}

// assign takes note of what a variable, or a selection of one, has from now on.
func (s *shares) assign(left, right ast.Expr) {
	id, ok := left.(*ast.Ident)
	number, shared := 0, false
	if right != nil {
		number, shared = s.param(right)
	}
	if !ok {
		s.fresh[types.ExprString(left)] = !shared
		return
	}
	obj := s.c.pass.TypesInfo.Defs[id]
	if obj == nil {
		obj = s.c.pass.TypesInfo.Uses[id]
	}
	if obj == nil {
		return
	}
	delete(s.of, obj)
	if shared {
		s.of[obj] = number
	}
}

// step takes note of what one node does to variables.
func (s *shares) step(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.ASSIGN && n.Tok != token.DEFINE {
			return
		}
		for i, left := range n.Lhs {
			var right ast.Expr
			switch {
			case len(n.Rhs) == len(n.Lhs):
				right = n.Rhs[i]
			case i == 0: // v, ok := m[k] and the like
				right = n.Rhs[0]
			}
			s.assign(left, right)
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if i < len(n.Values) {
				s.assign(name, n.Values[i])
			}
		}
	case *ast.RangeStmt:
		if n.Value != nil {
			s.assign(n.Value, n.X)
		}
	case *ast.TypeSwitchStmt:
		s.typeSwitch(n)
	}
}

// typeSwitch: the variable of a type switch is another one in each case.
func (s *shares) typeSwitch(n *ast.TypeSwitchStmt) {
	a, ok := n.Assign.(*ast.AssignStmt)
	if !ok {
		return
	}
	number, shared := s.param(a.Rhs[0])
	if !shared {
		return
	}
	for _, clause := range n.Body.List {
		if obj := s.c.pass.TypesInfo.Implicits[clause]; obj != nil {
			s.of[obj] = number
		}
	}
}
