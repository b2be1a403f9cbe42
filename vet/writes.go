package vet

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// write is a write to memory of a parameter.
type write struct {
	at    ast.Node
	param int
	part  string // of the parameter
	how   string // "writes", "writes, by slices.Sort,"
}

// paramPart is something of a parameter; the receiver is -1.
type paramPart struct {
	param int
	part  string
}

func (p paramPart) compare(q paramPart) int {
	return cmp.Or(cmp.Compare(p.param, q.param), cmp.Compare(p.part, q.part))
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
				if p, part, ok := s.through(left); ok && n.Tok != token.DEFINE {
					writes = append(writes, write{left, p, part, "writes"})
				}
			}
			s.step(n)
			return false
		case *ast.IncDecStmt:
			if p, part, ok := s.through(n.X); ok {
				writes = append(writes, write{n.X, p, part, "writes"})
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
	add := func(arg ast.Expr, part, how string) {
		if p, whole, ok := s.given(arg, part); ok {
			writes = append(writes, write{call, p, whole, how})
		}
	}
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok && len(call.Args) > 0 {
		if _, builtin := c.pass.TypesInfo.Uses[id].(*types.Builtin); builtin {
			part, ok := ast.Unparen(call.Args[0]).(*ast.SliceExpr)
			switch {
			case id.Name == "delete" || id.Name == "clear" || id.Name == "copy":
				add(call.Args[0], itself, "writes, by "+id.Name+",")
			case id.Name == "append" && ok && !part.Slice3 && part.High != nil && len(call.Args) > 1:
				add(part.X, itself, "writes, by append to a part of a slice,")
			}
			return writes
		}
	}
	fn := c.callee(call)
	if fn == nil {
		return writes
	}
	if fn.Pkg() != nil && len(call.Args) > 0 && mutates(fn.Pkg().Path(), fn.Name()) {
		add(call.Args[0], itself, "writes, by "+fn.Pkg().Name()+"."+fn.Name()+",")
	}
	known := c.writes[fn.Origin()]
	for _, part := range slices.SortedFunc(maps.Keys(known), paramPart.compare) {
		if arg := argument(call, part.param); arg != nil {
			add(arg, part.part, "writes, by "+fn.Name()+",")
		}
	}
	return writes
}

// argument is what a call gives a parameter; nil for what is not seen.
func argument(call *ast.CallExpr, param int) ast.Expr {
	if param >= 0 && param < len(call.Args) {
		return call.Args[param]
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && param < 0 {
		return sel.X
	}
	return nil
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
				if c.writes[fn] == nil {
					c.writes[fn] = map[paramPart]bool{}
				}
				if p := (paramPart{w.param, w.part}); !c.writes[fn][p] {
					c.writes[fn][p] = true
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
