package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
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

// What of a parameter is written through: a selection such as ".Index", or
const (
	itself    = ""  // the parameter, which is a slice or a map
	pointee   = "*" // only what the parameter, which is a pointer, points to
	somewhere = "?" // something that was reached otherwise
)

// through is the parameter whose memory a write to an expression changes, and
// what of it is written through.
func (s *shares) through(left ast.Expr) (number int, part string, ok bool) {
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
			return 0, "", false
		}
		if follows {
			if number, ok := s.param(base); ok {
				part := s.part(base, number)
				if part == itself && is[*types.Pointer](s.c, base) {
					part = pointee
				}
				return number, part, true
			}
		}
		left = base
	}
}

// part is what of a parameter an expression that shares memory with it selects.
func (s *shares) part(e ast.Expr, number int) string {
	text := types.ExprString(ast.Unparen(e))
	rest, ok := strings.CutPrefix(text, s.names[number])
	if ok && (rest == itself || rest[0] == '.') && !strings.ContainsAny(rest, "[](*") {
		return rest
	}
	return somewhere
}

// given is what of an argument's memory is written, if what it is given to
// writes through that part of its parameter: the caller's parameter that shares
// it, and what of that.
func (s *shares) given(arg ast.Expr, part string) (number int, whole string, ok bool) {
	arg = ast.Unparen(arg)
	local := !is[*types.Pointer](s.c, arg) // a method takes the address of a variable
	if u, isAddress := arg.(*ast.UnaryExpr); isAddress && u.Op == token.AND {
		arg, local = u.X, true
	}
	if number, ok = s.param(arg); !ok || part == pointee && local {
		return 0, "", false
	}
	whole = s.part(arg, number)
	if part == pointee || part == somewhere || whole == somewhere {
		return number, somewhere, true
	}
	text := types.ExprString(arg)
	for _, name := range strings.Split(strings.TrimPrefix(part, "."), ".") {
		if text += "." + name; s.fresh[text] {
			return 0, "", false
		}
	}
	return number, whole + part, true
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
