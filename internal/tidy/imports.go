package tidy

import (
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// inward is the order of caulk's packages: each may import those before it.
// A name stands for the folder and all below it.
var inward = []string{
	"model",
	"internal/printable",
	"internal/hostname",
	"internal/canonical",
	"internal/diff",
	"internal/wholefile",
	"internal/mealy",
	"internal/fair",
	"internal/permute",
	"internal/call",
	"internal/codec",
	"linear",
	"stepper",
	"trace",
	"internal/machine",
	"internal/walk",
	"sequence",
	"validate",
	"runner",
	"cluster",
	"internal/gotest",
	"explorer",
	"graphviz",
	"scenario",
	"vet",
	"web",
	"cli",
	"algos", // imports only what importsOnly says, and is imported by programs alone
	"cmd",
	"bench",
	"examples",
	"internal/readme",
	"internal/tidy",
}

// importsOnly narrows the order: what a package may import of caulk, besides
// its own folders.
var importsOnly = map[string][]string{
	"algos":              {"model", "linear"},
	"linear":             {"model", "internal/canonical"},
	"internal/canonical": {},
	"internal/printable": {},
	"internal/fair":      {},
	"internal/tidy":      {},
	"internal/mealy":     {},
	"internal/gotest":    {"model", "internal/printable", "trace"},
	"internal/wholefile": {},
	"vet":                {},
	"runner":             {"model", "internal/printable", "internal/hostname", "internal/call", "internal/machine", "internal/wholefile", "trace"},
	"scenario":           {"model", "trace", "explorer"},
	"graphviz":           {"model", "trace", "explorer"},
}

// impure is what does IO, tells the time, draws lots or shares memory: nothing
// of it may be imported where the vocabulary or an algorithm is written.
var impure = []string{
	"C", "crypto/rand", "hash/maphash", "io/ioutil", "log", "math/rand", "net", "os",
	"plugin", "runtime", "sync", "syscall", "time", "unsafe",
}

// checkImports leaves tests alone: they may use anything.
func checkImports(p *Package, report reporter) {
	at := layer(p.Dir)
	if at < 0 {
		for _, f := range p.Files {
			report(f.Syntax.Package, "%s has no place in the order of packages: give it one in internal/tidy/imports.go", p.Dir)
			break
		}
		return
	}
	for _, f := range p.Files {
		if f.Test {
			continue
		}
		for _, spec := range f.Syntax.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				continue // the parser has refused it
			}
			checkImport(spec.Pos(), inward[at], name, report)
		}
	}
}

func checkImport(pos token.Pos, from, name string, report reporter) {
	if dir, ours := strings.CutPrefix(name, Module+"/"); ours {
		to := layer(dir)
		if to < 0 || inward[to] == from {
			return // what has no place is reported where it is
		}
		only, narrowed := importsOnly[from]
		if to > slices.Index(inward, from) || narrowed && !slices.Contains(only, inward[to]) || inward[to] == "algos" && from != "cmd" {
			report(pos, "%s does not import %s: imports point inward", from, dir)
		}
		return
	}
	if from != "model" && from != "algos" {
		return
	}
	if host, _, _ := strings.Cut(name, "/"); strings.Contains(host, ".") { // a module's path begins with one
		report(pos, "%s imports the standard library only, not %s", from, name)
	}
	for _, i := range impure {
		if within(name, i) {
			report(pos, "%s is pure and does not import %s", from, name)
		}
	}
}

// layer is the place of a folder in the order, or -1.
func layer(dir string) int {
	return slices.IndexFunc(inward, func(l string) bool { return within(dir, l) })
}

func within(dir, parent string) bool { return dir == parent || strings.HasPrefix(dir, parent+"/") }
