package vet

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// handlers are the methods of an agent that caulk calls.
var handlers = [...]string{"Fresh", "Receive", "Start", "Halted", "Label", "Persist", "Restart", "Actions"}

// takers are the functions and methods of model whose function arguments caulk
// calls, and what these are.
var takers = map[string]string{
	"Observe": "the observer", "Always": "the property", "Sometimes": "the property", "EveryStep": "the property",
	"AtEnd": "the property", "Eventually": "the property", "LeadsTo": "the property", "When": "the property",
}

// findAgents finds the types with methods Fresh and Receive, the latter with
// a model.Message for its second parameter.
func (c *checker) findAgents() {
	scope := c.pass.Pkg.Scope()
	for _, name := range scope.Names() { // sorted
		t, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(t.Type()) {
			continue
		}
		set := types.NewMethodSet(types.NewPointer(t.Type()))
		fresh, receive := set.Lookup(c.pass.Pkg, "Fresh"), set.Lookup(c.pass.Pkg, "Receive")
		if fresh == nil || receive == nil {
			continue
		}
		params := receive.Type().(*types.Signature).Params()
		c.agents[t] = params.Len() == 2 && isModel(params.At(1).Type(), "Message")
	}
}

// isModel says whether a type is the one of that name in package model.
func isModel(t types.Type, name string) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Name() == name && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == modelPath
}

// roots lists the functions that caulk calls, in the order of the source.
func (c *checker) roots() []function {
	var roots []function
	for _, file := range c.pass.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				if agent := c.agentOf(n); agent != "" && slices.Contains(handlers[:], n.Name.Name) {
					roots = append(roots, function{n, n.Name.Name + " of " + agent, true})
				}
			case *ast.CompositeLit:
				roots = append(roots, c.inLiteral(n)...)
			case *ast.CallExpr:
				if what := c.taker(n); what != "" {
					for _, arg := range n.Args {
						roots = append(roots, c.value(arg, what)...)
					}
				}
			}
			return true
		})
	}
	return roots
}

// agentOf is the name of the agent whose method a function is; empty for none.
func (c *checker) agentOf(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) == 0 || d.Body == nil {
		return ""
	}
	t := c.pass.TypesInfo.TypeOf(d.Recv.List[0].Type)
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && c.agents[named.Obj()] {
		return named.Obj().Name()
	}
	return ""
}

// inLiteral finds the function of an own action, and those that an agent is
// made of.
func (c *checker) inLiteral(lit *ast.CompositeLit) []function {
	t := c.pass.TypesInfo.TypeOf(lit)
	named, _ := types.Unalias(t).(*types.Named)
	action := isModel(t, "Action")
	if !action && (named == nil || !c.agents[named.Obj()]) {
		return nil
	}
	var found []function
	for _, e := range lit.Elts {
		what := "a function of the agent"
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
			if key, ok := kv.Key.(*ast.Ident); ok {
				what = key.Name + " of the agent"
			}
		}
		if action {
			what = "the own action"
		}
		found = append(found, c.value(e, what)...)
	}
	return found
}

// value is the functions that an expression names or makes.
func (c *checker) value(e ast.Expr, what string) []function {
	if _, ok := c.pass.TypesInfo.TypeOf(e).Underlying().(*types.Signature); !ok {
		return nil
	}
	var found []function
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			found = append(found, function{n, what, true})
			return false
		case *ast.Ident:
			obj, ok := c.pass.TypesInfo.Uses[n].(*types.Func)
			if ok && c.decls[obj.Origin()] != nil {
				_, called := e.(*ast.CallExpr)
				found = append(found, function{c.decls[obj.Origin()], fmt.Sprintf("%s (%s)", what, obj.Name()), !called})
			}
		}
		return true
	})
	return found
}

// taker says what the function arguments of a call are to caulk; empty where it
// does not call them.
func (c *checker) taker(call *ast.CallExpr) string {
	fn := c.callee(call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != modelPath {
		return ""
	}
	return takers[fn.Name()]
}

// callee is the function or method that a call names; nil if that is not known.
func (c *checker) callee(call *ast.CallExpr) *types.Func {
	f := ast.Unparen(call.Fun)
	switch g := f.(type) {
	case *ast.IndexExpr:
		f = g.X
	case *ast.IndexListExpr:
		f = g.X
	}
	var id *ast.Ident
	switch f := f.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	default:
		return nil
	}
	fn, _ := c.pass.TypesInfo.Uses[id].(*types.Func)
	return fn
}

// caller is the name of a function without what calls that.
func caller(what string) string {
	name, _, _ := strings.Cut(what, ", which ")
	return name
}
