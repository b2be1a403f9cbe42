package tidy

import "go/ast"

// The longest that a file and a function may be, in lines. Those of tests,
// which are tables for the most part, may be half as long again.
const (
	fileLines     = 300
	functionLines = 60
)

func limits(test bool) (file, function int) {
	if test {
		return fileLines * 3 / 2, functionLines * 3 / 2
	}
	return fileLines, functionLines
}

func checkLengths(p *Package, report reporter) {
	for _, f := range p.Files {
		fileLines, functionLines := limits(f.Test)
		lines := p.Fset.File(f.Syntax.Package).LineCount()
		if at, why := fileDirective(f.Syntax, "long"); !excused(at, why, lines > fileLines, report) && lines > fileLines {
			report(f.Syntax.Package, "%d lines are more than %d: split the file by its ideas", lines, fileLines)
		}
		for _, d := range f.Syntax.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			n := p.Fset.Position(fn.End()).Line - p.Fset.Position(fn.Type.Pos()).Line + 1
			if at, why := directive(fn.Doc, "long"); !excused(at, why, n > functionLines, report) && n > functionLines {
				report(fn.Pos(), "%s has %d lines, more than %d: split it by its steps", fn.Name.Name, n, functionLines)
			}
		}
	}
}

// fileDirective looks in the comments before the package clause.
func fileDirective(f *ast.File, name string) (at *ast.Comment, why string) {
	for _, g := range f.Comments {
		if g.Pos() > f.Package {
			break
		}
		if at, why = directive(g, name); at != nil {
			return at, why
		}
	}
	return nil, ""
}
