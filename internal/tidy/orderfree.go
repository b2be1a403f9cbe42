package tidy

import (
	"go/ast"
	"go/token"
	"go/types"
)

// orderFree says whether a loop over a map leaves the same behind in whatever
// order it turns. It knows a few forms only, which it combines:
//
//	m[key] = …          of another map, by the loop's own key
//	delete(m, key)
//	n++, n += …, n |= …, n = max(n, …) of whole numbers, one kind for each n
//	local := …          and conditions, inner loops, continue
//	return …            of the same constants everywhere, in a loop that does nothing else
//
// A variable that the loop changes must not be read by it in any other way.
// Functions that are called are taken to be pure.
func (o *orders) orderFree(loop *ast.RangeStmt) bool {
	b := &body{orders: o, changed: map[types.Object]string{}, local: map[types.Object]bool{}, updates: map[*ast.Ident]bool{}}
	b.key, _ = loop.Key.(*ast.Ident)
	return loop.Tok != token.ASSIGN && b.statements(loop.Body.List) && !(b.returns && len(b.changed) > 0) && !b.readsChanged(loop.Body)
}

type body struct {
	*orders
	key     *ast.Ident              // nil if the loop names none
	changed map[types.Object]string // variables from outside that it changes, and by what
	local   map[types.Object]bool
	updates map[*ast.Ident]bool // the places that change them, and may
	returns bool
	answer  string // what it returns
}

func (b *body) statements(list []ast.Stmt) bool {
	for _, s := range list {
		if !b.statement(s) {
			return false
		}
	}
	return true
}

func (b *body) statement(s ast.Stmt) bool {
	switch s := s.(type) {
	case *ast.AssignStmt:
		return b.assign(s)
	case *ast.IncDecStmt:
		return b.update(s.X, "+")
	case *ast.ExprStmt:
		call, ok := s.X.(*ast.CallExpr)
		return ok && b.builtin(call) == "delete" && b.byKey(call.Args[0], call.Args[1])
	case *ast.BranchStmt:
		return s.Tok == token.CONTINUE && s.Label == nil
	case *ast.ReturnStmt:
		return b.returned(s)
	case *ast.IfStmt:
		return (s.Init == nil || b.statement(s.Init)) && b.statements(s.Body.List) && (s.Else == nil || b.statement(s.Else))
	case *ast.BlockStmt:
		return b.statements(s.List)
	case *ast.RangeStmt:
		return s.Tok != token.ASSIGN && b.statements(s.Body.List)
	}
	return false
}

func (b *body) assign(s *ast.AssignStmt) bool {
	if s.Tok == token.DEFINE {
		for _, l := range s.Lhs {
			if id, ok := l.(*ast.Ident); ok && b.info.Defs[id] != nil {
				b.local[b.info.Defs[id]] = true
			}
		}
		return true
	}
	if len(s.Lhs) != 1 || len(s.Rhs) != 1 {
		return false
	}
	switch s.Tok {
	case token.ADD_ASSIGN, token.SUB_ASSIGN:
		return b.update(s.Lhs[0], "+")
	case token.OR_ASSIGN, token.AND_ASSIGN, token.XOR_ASSIGN:
		return b.update(s.Lhs[0], s.Tok.String())
	case token.ASSIGN:
		if i, ok := s.Lhs[0].(*ast.IndexExpr); ok {
			return b.byKey(i.X, i.Index)
		}
		call, ok := s.Rhs[0].(*ast.CallExpr)
		if ok && (b.builtin(call) == "max" || b.builtin(call) == "min") && b.same(call.Args[0], s.Lhs[0]) {
			if id, ok := call.Args[0].(*ast.Ident); ok {
				b.updates[id] = true
				return b.update(s.Lhs[0], b.builtin(call))
			}
		}
	}
	return false
}

// update notes a change of a whole number by an operation that commutes with
// itself, but not with others.
func (b *body) update(e ast.Expr, by string) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	t, ok := b.info.TypeOf(id).Underlying().(*types.Basic)
	if !ok || t.Info()&types.IsInteger == 0 {
		return false
	}
	b.updates[id] = true
	return b.change(id, by)
}

// byKey notes a change of a map at the loop's own key, which is another one in
// every turn.
func (b *body) byKey(m, key ast.Expr) bool {
	id, ok := m.(*ast.Ident)
	if !ok || b.key == nil || b.key.Name == "_" || !b.isMap(m) || !b.same(key, b.key) {
		return false
	}
	b.updates[id] = true
	return b.change(id, "[]")
}

func (b *body) change(id *ast.Ident, by string) bool {
	obj := b.object(id)
	if b.local[obj] {
		return true
	}
	before, again := b.changed[obj]
	b.changed[obj] = by
	return !again || before == by
}

// returned allows the same constants everywhere, so that it does not matter
// which turn returns.
func (b *body) returned(s *ast.ReturnStmt) bool {
	answer := ""
	for _, r := range s.Results {
		tv := b.info.Types[r]
		switch {
		case tv.IsNil():
			answer += "nil,"
		case tv.Value != nil:
			answer += tv.Value.ExactString() + ","
		default:
			return false
		}
	}
	if b.returns && b.answer != answer {
		return false
	}
	b.returns, b.answer = true, answer
	return true
}

func (b *body) readsChanged(n ast.Node) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !b.updates[id] && b.changed[b.info.Uses[id]] != "" {
			found = true
		}
		return !found
	})
	return found
}
