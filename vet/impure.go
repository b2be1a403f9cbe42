package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// advice is what to do instead of using a package; the longest prefix of a
// path counts.
var advice = map[string]string{
	"math/rand":    "chance is a move: offer an own action for each outcome",
	"crypto/rand":  "chance is a move: offer an own action for each outcome",
	"hash/maphash": "its seed differs in each process: hash with something fixed, such as hash/fnv",
	"os":           "keep IO out of the algorithm: give the agent what it needs to know when it is made",
	"io/ioutil":    "keep IO out of the algorithm: give the agent what it needs to know when it is made",
	"net":          "send a message instead: the runner does the IO",
	"syscall":      "keep IO out of the algorithm: give the agent what it needs to know when it is made",
	"log":          "keep IO out of the algorithm: reports show every state and message",
	"runtime":      "what the runtime says differs from run to run: leave it out",
	"sync":         "no two handlers run at once: leave it out, and keep what is shared in the state",
}

// timely are the functions of package time that tell the time or wait.
var timely = []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

// impurities reports what a function uses, and must not.
func (c *checker) impurities(f function) {
	ast.Inspect(f.body(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			c.use(f, n)
		case *ast.GoStmt:
			c.report(n, f, "starts a goroutine: a handler answers at once; what happens later is an own action or a message")
		case *ast.SelectStmt:
			c.report(n, f, "selects among channels: the order of events is for caulk to choose; receive a message instead")
			return false
		case *ast.SendStmt:
			c.report(n, f, "sends on a channel: return a message instead")
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				c.report(n, f, "receives from a channel: receive a message instead")
			}
		case *ast.RangeStmt:
			if is[*types.Chan](c, n.X) {
				c.report(n, f, "ranges over a channel: receive messages instead")
			}
		case *ast.CallExpr:
			c.channelCall(f, n)
		case *ast.AssignStmt:
			for _, left := range n.Lhs {
				c.outerWrite(f, left)
			}
		case *ast.IncDecStmt:
			c.outerWrite(f, n.X)
		}
		return true
	})
}

// use reports what belongs to a package that no handler may use.
func (c *checker) use(f function, id *ast.Ident) {
	obj := c.pass.TypesInfo.Uses[id]
	if obj == nil || obj.Pkg() == nil || obj.Pkg() == c.pass.Pkg {
		return
	}
	path, name := obj.Pkg().Path(), obj.Name()
	if _, isPackage := obj.(*types.PkgName); isPackage {
		return
	}
	if _, isConst := obj.(*types.Const); isConst {
		return
	}
	switch {
	case path == "time" && slices.Contains(timely, name) && obj.Parent() == obj.Pkg().Scope():
		c.report(id, f, "uses time.%s: time is a move; let a clock that runs out be an own action of kind model.Timer", name)
		return
	case path == "fmt" && (strings.HasPrefix(name, "Print") || strings.HasPrefix(name, "Scan")):
		c.report(id, f, "uses fmt.%s: keep IO out of the algorithm: reports show every state and message", name)
		return
	}
	if path == "net/url" || path == "net/netip" {
		return // they only read and write text
	}
	for p := path; p != "."; p = parent(p) {
		if text, bad := advice[p]; bad {
			c.report(id, f, "uses %s.%s: %s", path, name, text)
			return
		}
	}
}

// parent is the path above, or a dot.
func parent(path string) string {
	if i := strings.LastIndex(path, "/"); i >= 0 {
		return path[:i]
	}
	return "."
}

func (c *checker) channelCall(f function, call *ast.CallExpr) {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if !ok || len(call.Args) == 0 {
		return
	}
	if _, builtin := c.pass.TypesInfo.Uses[id].(*types.Builtin); !builtin {
		return
	}
	switch {
	case id.Name == "make" && is[*types.Chan](c, call.Args[0]):
		c.report(call, f, "makes a channel: send messages instead")
	case id.Name == "close":
		c.report(call, f, "closes a channel: send messages instead")
	case slices.Contains([]string{"delete", "clear", "copy"}, id.Name):
		c.outerWrite(f, &ast.StarExpr{Star: call.Args[0].Pos(), X: call.Args[0]})
	}
}

// outerWrite reports a write to what outlives the call: a package variable, or
// one of the function around a function that caulk calls.
func (c *checker) outerWrite(f function, left ast.Expr) {
	v, ok := c.pass.TypesInfo.Uses[c.rootIdent(left)].(*types.Var)
	switch {
	case !ok || v.IsField():
	case v.Pkg() != nil && v.Parent() == v.Pkg().Scope():
		c.report(left, f, "writes to the package variable %s: keep what changes in the state", v.Name())
	case f.root && (v.Pos() < f.node.Pos() || v.Pos() >= f.node.End()):
		c.report(left, f, "writes to %s, a variable of the function around it: keep what changes in the state", v.Name())
	}
}

// rootIdent is the variable that an expression selects, indexes and follows
// pointers from; nil if it begins otherwise.
func (c *checker) rootIdent(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.ParenExpr:
			e = x.X
		case *ast.SelectorExpr:
			if id, ok := x.X.(*ast.Ident); ok {
				if _, isPackage := c.pass.TypesInfo.Uses[id].(*types.PkgName); isPackage {
					return x.Sel
				}
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// is says whether an expression's type is, underneath, of a kind.
func is[T types.Type](c *checker, e ast.Expr) bool {
	t := c.pass.TypesInfo.TypeOf(e)
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(T)
	return ok
}
