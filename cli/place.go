package cli

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

// place is where in the source something is written. The zero place is
// nowhere.
type place struct {
	file string // with slashes; relative to the root, if it is below that
	line int
}

// places finds where things are written.
type places struct {
	sys  *model.System
	make model.Algorithm // the system's
	root string          // of the repository, or else the folder that the process is in
	main string          // the path of the main module, which files bear that were built with -trimpath
}

func newPlaces(sys *model.System, algorithm *model.Algorithm) *places {
	p := &places{sys: sys, make: *algorithm}
	p.root, _ = os.Getwd()
	for folder := p.root; ; folder = filepath.Dir(folder) {
		if _, err := os.Stat(filepath.Join(folder, ".git")); err == nil {
			p.root = folder
			break
		}
		if folder == filepath.Dir(folder) {
			break
		}
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		p.main = info.Main.Path
	}
	return p
}

// of is where the agent's code for a step of a path begins: the handler of the
// message, the own action, or what begins an agent anew.
func (p *places) of(step trace.Step) place {
	kind, action := model.Act, step.Move
	if k, ok := model.ParseMoveKind(step.Move); ok {
		kind, action = k, ""
	}
	if p.sys.Has(step.To) != nil {
		return place{}
	}
	return p.first(kind.Entries(p.sys.Node(step.To), action))
}

// last is where the agent's code for a path's last delivery or own action
// begins: a fault that follows only brings to light what that did. Without any
// it is where the system is made.
func (p *places) last(path []trace.Step) place {
	for i := len(path) - 1; i >= 0; i-- {
		if kind, ok := model.ParseMoveKind(path[i].Move); ok && kind.Fault() {
			continue
		}
		if at := p.of(path[i]); at.line > 0 {
			return at
		}
	}
	return p.system()
}

// system is where the algorithm makes its systems.
func (p *places) system() place {
	return p.first([]uintptr{reflect.ValueOf(p.make.Make).Pointer()})
}

// first is the first of some entries that somebody wrote.
func (p *places) first(entries []uintptr) place {
	for _, pc := range entries {
		f := runtime.FuncForPC(pc)
		if f == nil {
			continue
		}
		if file, line := f.FileLine(pc); !strings.HasPrefix(file, "<") && line > 0 {
			return place{p.relative(file), line}
		}
	}
	return place{}
}

func (p *places) relative(file string) string {
	if !filepath.IsAbs(file) { // built with -trimpath
		return strings.TrimPrefix(filepath.ToSlash(file), p.main+"/")
	}
	if rel, err := filepath.Rel(p.root, file); err == nil && filepath.IsLocal(rel) {
		file = rel
	}
	return filepath.ToSlash(file)
}
