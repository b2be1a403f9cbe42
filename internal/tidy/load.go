package tidy

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Module is the path of caulk's own module.
const Module = "github.com/caulk-go/caulk"

// Package is a package of the module with its tests, parsed. Its files but not
// the tests are type-checked too. Generated files are left out.
type Package struct {
	Dir   string // from the module's root, with slashes
	Name  string
	Fset  *token.FileSet
	Files []*File
	Info  *types.Info
}

// File is a Go file.
type File struct {
	Path   string // from the module's root, with slashes
	Test   bool
	Syntax *ast.File
}

// listed is what go list says of a package.
type listed struct {
	ImportPath, Dir, Export           string
	DepOnly                           bool
	GoFiles, IgnoredGoFiles, CgoFiles []string
	TestGoFiles, XTestGoFiles         []string
}

// Load reads every package of the module at root, in order of folder. It runs
// the go command, which compiles what is imported.
func Load(root string) ([]*Package, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	list, err := goList(root, "./...")
	if err != nil {
		return nil, err
	}
	fset := token.NewFileSet()
	imports := newImporter(fset, list)
	var packages []*Package
	for _, l := range list {
		if l.DepOnly {
			continue
		}
		dir, err := filepath.Rel(root, l.Dir)
		if err != nil {
			return nil, err
		}
		dir = filepath.ToSlash(dir)
		sources := map[string]string{}
		for _, name := range slices.Concat(l.GoFiles, l.IgnoredGoFiles, l.CgoFiles, l.TestGoFiles, l.XTestGoFiles) {
			text, err := os.ReadFile(filepath.Join(l.Dir, name))
			if err != nil {
				return nil, err
			}
			sources[name] = string(text)
		}
		p, err := parse(fset, imports, dir, sources, l.IgnoredGoFiles)
		if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
	slices.SortFunc(packages, func(a, b *Package) int { return strings.Compare(a.Dir, b.Dir) })
	return packages, nil
}

func goList(dir string, patterns ...string) ([]listed, error) {
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-json"}, patterns...)...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return nil, fmt.Errorf("go list: %s", strings.TrimSpace(string(exit.Stderr)))
		}
		return nil, err
	}
	var list []listed
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var l listed
		switch err := d.Decode(&l); {
		case err == io.EOF:
			return list, nil
		case err != nil:
			return nil, err
		}
		list = append(list, l)
	}
}

// newImporter imports from what the compiler exported, which is much faster
// than from source.
func newImporter(fset *token.FileSet, list []listed) types.Importer {
	exports := map[string]string{}
	for _, l := range list {
		exports[l.ImportPath] = l.Export
	}
	return importer.ForCompiler(fset, "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("go list names no export data for %s", path)
		}
		return os.Open(exports[path])
	})
}

// parse makes a package of sources by file name; those not built here are
// parsed but not type-checked.
func parse(fset *token.FileSet, imports types.Importer, dir string, sources map[string]string, notBuilt []string) (*Package, error) {
	p := &Package{Dir: dir, Fset: fset, Info: &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{},
		Uses:  map[*ast.Ident]types.Object{},
		Defs:  map[*ast.Ident]types.Object{},
	}}
	names := make([]string, 0, len(sources))
	for name := range sources {
		names = append(names, name)
	}
	slices.Sort(names)
	var checked []*ast.File
	for _, name := range names {
		f := &File{Path: path.Join(dir, name), Test: strings.HasSuffix(name, "_test.go")}
		var err error
		if f.Syntax, err = parser.ParseFile(fset, f.Path, sources[name], parser.ParseComments|parser.SkipObjectResolution); err != nil {
			return nil, err
		}
		if !f.Test && !slices.Contains(notBuilt, name) {
			checked = append(checked, f.Syntax)
			p.Name = f.Syntax.Name.Name
		}
		if !ast.IsGenerated(f.Syntax) {
			p.Files = append(p.Files, f)
		}
	}
	if len(checked) == 0 { // tests alone
		return p, nil
	}
	config := types.Config{Importer: imports}
	if _, err := config.Check(path.Join(Module, dir), fset, checked, p.Info); err != nil {
		return nil, err
	}
	return p, nil
}
