package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// write is a write to memory of a parameter.
type write struct {
	at      ast.Node
	param   int
	shallow bool   // only to what a pointer that is itself the parameter points to
	how     string // "writes", "calls slices.Sort, which writes"
}

// writesOf lists the writes of a function to memory of its parameters, as far
// as functions of the package are known by now.
func (c *checker) writesOf(node ast.Node, body *ast.BlockStmt) (writes []write, s *shares) {
	s = c.newShares(node)
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, right := range n.Rhs {
				ast.Inspect(right, visit) // before anything is assigned
			}
			for _, left := range n.Lhs {
				ast.Inspect(left, visit)
				if p, shallow, ok := s.through(left); ok && n.Tok != token.DEFINE {
					writes = append(writes, write{left, p, shallow, "writes"})
				}
			}
			s.step(n)
			return false
		case *ast.IncDecStmt:
			if p, shallow, ok := s.through(n.X); ok {
				writes = append(writes, write{n.X, p, shallow, "writes"})
			}
		case *ast.CallExpr:
			writes = append(writes, c.callWrites(n, s)...)
		}
		s.step(n)
		return true
	}
	ast.Inspect(body, visit)
	return writes, s
}

// callWrites lists what a call writes to memory of the caller's parameters.
func (c *checker) callWrites(call *ast.CallExpr, s *shares) (writes []write) {
	add := func(arg ast.Expr, how string) {
		if p, ok := s.param(arg); ok {
			writes = append(writes, write{call, p, false, how})
		}
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && len(call.Args) > 0 {
		if _, builtin := c.pass.TypesInfo.Uses[id].(*types.Builtin); builtin {
			part, ok := ast.Unparen(call.Args[0]).(*ast.SliceExpr)
			switch {
			case id.Name == "delete" || id.Name == "clear" || id.Name == "copy":
				add(call.Args[0], "writes, by "+id.Name+",")
			case id.Name == "append" && ok && !part.Slice3 && part.High != nil && len(call.Args) > 1:
				add(part.X, "writes, by append to a part of a slice,")
			}
			return writes
		}
	}
	fn := c.callee(call)
	if fn == nil {
		return writes
	}
	if fn.Pkg() != nil && len(call.Args) > 0 && mutates(fn.Pkg().Path(), fn.Name()) {
		add(call.Args[0], "writes, by "+fn.Pkg().Name()+"."+fn.Name()+",")
	}
	known := c.writes[fn.Origin()]
	for i, arg := range call.Args {
		if _, ok := known[i]; ok {
			add(arg, "writes, by "+fn.Name()+",")
		}
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		deep, writesReceiver := known[-1]
		if writesReceiver && (deep || is[*types.Pointer](c, sel.X)) { // else it writes to the caller's own copy
			add(sel.X, "writes, by "+fn.Name()+",")
		}
	}
	return writes
}

// mutates says whether a function of the standard library changes its first
// argument in place.
func mutates(path, name string) bool {
	has := func(prefixes ...string) bool {
		for _, p := range prefixes {
			if strings.HasPrefix(name, p) {
				return true
			}
		}
		return false
	}
	switch path {
	case "slices":
		return has("Sort", "Reverse", "Delete", "Compact", "Replace") && !has("SortedFunc", "Sorted", "SortedStableFunc")
	case "sort":
		return has("Slice", "Ints", "Strings", "Float64s", "Sort", "Stable")
	case "maps":
		return has("Copy", "DeleteFunc", "Insert")
	}
	return false
}

// summarise finds out which parameters the functions of the package write
// through, by those that they call too.
func (c *checker) summarise() {
	for changed := true; changed; {
		changed = false
		for fn, d := range c.decls { //tidy:unordered they are gathered in sets until nothing changes
			writes, _ := c.writesOf(d, d.Body)
			for _, w := range writes {
				known := c.writes[fn]
				if known == nil {
					known = map[int]bool{}
					c.writes[fn] = known
				}
				if deep, ok := known[w.param]; !ok || !deep && !w.shallow {
					known[w.param] = !w.shallow
					changed = true
				}
			}
		}
	}
}

// argumentWrites reports where a function that caulk calls writes through what
// it was given.
func (c *checker) argumentWrites(f function) {
	writes, s := c.writesOf(f.node, f.body())
	for _, w := range writes {
		if w.param < 0 {
			c.report(w.at, f, "%s through its receiver %s, which all agents share: keep what changes in the state", w.how, s.names[w.param])
			continue
		}
		c.report(w.at, f, "%s through its argument %s: work on a copy (slices.Clone, maps.Clone, a new value) and return that", w.how, s.names[w.param])
	}
}
