package tidy

import (
	"go/ast"
	"go/token"
	"slices"
)

// wellKnown methods mean the same wherever they are; the name says it all.
var wellKnown = []string{"Error", "String", "Unwrap", "MarshalJSON", "UnmarshalJSON", "Len", "Less", "Swap", "Push", "Pop"}

// checkDocs wants a comment on every package, and on every exported constant,
// variable, type, function and method of an exported type.
func checkDocs(p *Package, report reporter) {
	documented := false
	var first token.Pos
	for _, f := range p.Files {
		if f.Test {
			continue
		}
		documented = documented || f.Syntax.Doc != nil
		if first == token.NoPos {
			first = f.Syntax.Package
		}
		for _, d := range f.Syntax.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Doc == nil && d.Name.IsExported() && exportedReceiver(d) && !slices.Contains(wellKnown, d.Name.Name) {
					report(d.Pos(), "%s has no doc comment", d.Name.Name)
				}
			case *ast.GenDecl:
				checkSpecs(d, report)
			}
		}
	}
	if !documented && first != token.NoPos {
		report(first, "package %s has no doc comment", p.Name)
	}
}

func checkSpecs(d *ast.GenDecl, report reporter) {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			// The comment of a group says nothing about each of its types.
			if s.Name.IsExported() && s.Doc == nil && s.Comment == nil && (d.Doc == nil || d.Lparen.IsValid()) {
				report(s.Pos(), "%s has no doc comment", s.Name.Name)
			}
		case *ast.ValueSpec:
			for _, name := range s.Names {
				if name.IsExported() && s.Doc == nil && s.Comment == nil && d.Doc == nil {
					report(name.Pos(), "%s has no doc comment", name.Name)
				}
			}
		}
	}
}

// exportedReceiver says whether a function is no method, or one of an exported
// type.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	t := d.Recv.List[0].Type
	for {
		switch e := t.(type) {
		case *ast.StarExpr:
			t = e.X
		case *ast.ParenExpr:
			t = e.X
		case *ast.IndexExpr:
			t = e.X
		case *ast.IndexListExpr:
			t = e.X
		case *ast.Ident:
			return e.IsExported()
		default:
			return false
		}
	}
}
