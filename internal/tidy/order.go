package tidy

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// checkOrder wants no range over a map whose order can be seen afterwards. It
// lets pass what sorts before it looks, and bodies in which every turn does
// the same whatever the turns before it did; anything else says why it may, by
// //tidy:unordered. Tests are left alone.
func checkOrder(p *Package, report reporter) {
	for _, f := range p.Files {
		if f.Test {
			continue
		}
		o := &orders{info: p.Info, file: f.Syntax, fset: p.Fset, report: report, allowed: map[ast.Node]bool{}}
		ast.Inspect(f.Syntax, o.visit)
	}
}

type orders struct {
	info    *types.Info
	file    *ast.File
	fset    *token.FileSet
	report  reporter
	allowed map[ast.Node]bool // calls that stand where their order is lost, and loops whose result is sorted
}

func (o *orders) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BlockStmt:
		o.sortedNext(n.List)
	case *ast.CaseClause:
		o.sortedNext(n.Body)
	case *ast.RangeStmt:
		call, _ := n.X.(*ast.CallExpr)
		if iterates := call != nil && o.enumerates(call); iterates || o.isMap(n.X) {
			if iterates {
				o.allowed[call] = true // judged here, as a range
			}
			o.judge(n, o.allowed[n] || o.orderFree(n), "the order of this range over a map can be seen: sort the keys, as slices.Sorted(maps.Keys(m)) does")
		}
	case *ast.CallExpr:
		if forgetsOrder(o.called(n)) && len(n.Args) > 0 {
			if inner, ok := n.Args[0].(*ast.CallExpr); ok {
				o.allowed[inner] = true
			}
		}
		if o.enumerates(n) && !o.allowed[n] {
			o.judge(n, false, "the order in which this enumerates a map can be seen: sort it, as slices.Sorted does")
		}
	}
	return true
}

func (o *orders) judge(n ast.Node, fine bool, text string) {
	at, why := o.directiveAt(n)
	if !excused(at, why, !fine, o.report) && !fine {
		o.report(n.Pos(), "%s", text)
	}
}

// directiveAt looks on the node's first line and on the line before it.
func (o *orders) directiveAt(n ast.Node) (at *ast.Comment, why string) {
	line := o.fset.Position(n.Pos()).Line
	for _, g := range o.file.Comments {
		if at, why := directive(g, "unordered"); at != nil {
			if l := o.fset.Position(at.Pos()).Line; l == line || l == line-1 {
				return at, why
			}
		}
	}
	return nil, ""
}

func (o *orders) isMap(e ast.Expr) bool {
	t := o.info.TypeOf(e)
	if t == nil {
		return false
	}
	if param, ok := t.(*types.TypeParam); ok {
		t = param.Constraint()
		if i, ok := t.Underlying().(*types.Interface); ok && i.NumEmbeddeds() == 1 {
			if u, ok := i.EmbeddedType(0).(*types.Union); ok && u.Len() == 1 {
				t = u.Term(0).Type()
			}
		}
	}
	_, ok := t.Underlying().(*types.Map)
	return ok
}

// called is the full name of what a call calls: "maps.Keys".
func (o *orders) called(call *ast.CallExpr) string {
	f := call.Fun
	if i, ok := f.(*ast.IndexExpr); ok {
		f = i.X
	}
	var id *ast.Ident
	switch f := f.(type) {
	case *ast.SelectorExpr:
		id = f.Sel
	case *ast.Ident:
		id = f
	default:
		return ""
	}
	if fn, ok := o.info.Uses[id].(*types.Func); ok {
		return fn.FullName()
	}
	return ""
}

func (o *orders) enumerates(call *ast.CallExpr) bool {
	switch o.called(call) {
	case "maps.Keys", "maps.Values", "maps.All", "(reflect.Value).MapKeys", "(reflect.Value).MapRange", "(reflect.Value).Seq", "(reflect.Value).Seq2":
		return true
	}
	return false
}

func forgetsOrder(name string) bool {
	switch name {
	case "slices.Sorted", "slices.SortedFunc", "slices.SortedStableFunc", "maps.Collect":
		return true
	}
	return false
}

// sortedNext allows a loop that only collects into a slice which the next
// statement sorts.
func (o *orders) sortedNext(list []ast.Stmt) {
	for i, s := range list[:max(len(list)-1, 0)] {
		loop, body := o.collecting(s)
		if loop == nil || len(body.List) != 1 {
			continue
		}
		assign, ok := body.List[0].(*ast.AssignStmt)
		if !ok || len(assign.Lhs) != 1 || len(assign.Rhs) != 1 {
			continue
		}
		slice := assign.Lhs[0]
		grow, ok := assign.Rhs[0].(*ast.CallExpr)
		if !ok || o.builtin(grow) != "append" || !o.same(grow.Args[0], slice) {
			continue
		}
		next, ok := list[i+1].(*ast.ExprStmt)
		if !ok {
			continue
		}
		if sort, ok := next.X.(*ast.CallExpr); ok && o.sorts(sort) && o.same(sort.Args[0], slice) {
			o.allowed[loop] = true
		}
	}
}

// collecting gives what of a loop enumerates a map, and the loop's body: the
// range itself, or the call to MapRange in a loop over a reflected map.
func (o *orders) collecting(s ast.Stmt) (ast.Node, *ast.BlockStmt) {
	switch s := s.(type) {
	case *ast.RangeStmt:
		return s, s.Body
	case *ast.ForStmt:
		if init, ok := s.Init.(*ast.AssignStmt); ok && len(init.Rhs) == 1 {
			if call, ok := init.Rhs[0].(*ast.CallExpr); ok && o.enumerates(call) {
				return call, s.Body
			}
		}
	}
	return nil, nil
}

func (o *orders) builtin(call *ast.CallExpr) string {
	if id, ok := call.Fun.(*ast.Ident); ok {
		if b, ok := o.info.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}

func (o *orders) sorts(call *ast.CallExpr) bool {
	name := o.called(call)
	return len(call.Args) > 0 && slices.ContainsFunc([]string{"slices.Sort", "sort.Strings", "sort.Ints", "sort.Slice"}, func(s string) bool { return strings.HasPrefix(name, s) })
}

// same says whether both are the same variable, or the same field of it.
func (o *orders) same(a, b ast.Expr) bool {
	x, y := root(o.info, a), root(o.info, b)
	return x != nil && y != nil && o.object(x) != nil && o.object(x) == o.object(y) && types.ExprString(a) == types.ExprString(b)
}

func (o *orders) object(id *ast.Ident) types.Object {
	if d := o.info.Defs[id]; d != nil {
		return d
	}
	return o.info.Uses[id]
}
