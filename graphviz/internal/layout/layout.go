// Package layout runs Graphviz's dot within the process, as WebAssembly.
//
// The program is the one inside github.com/goccy/go-graphviz. That module is
// not imported, because its init compiles the program in every process that
// links it: 0.7 s and 47 MB, or 30 ms and 18 MB with the machine code that it
// leaves in the temporary directory for next time. Here nothing happens before
// Open, nothing is left behind, and what runs sees no file, no clock and no
// environment. README.md says where graphviz.wasm comes from.
package layout

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

//go:embed graphviz.wasm
var program []byte

// Speed is how the program is run. It makes no difference to what comes out.
type Speed int

// The speeds.
const (
	Interpret Speed = iota // ready in 0.1 s; takes some ten times as long to draw
	Compile                // ready in 0.7 s
)

// memoryLimit is in pages of 64 KiB: 1 GiB, where one drawing of a thousand
// nodes takes about a tenth.
const memoryLimit = 1 << 14

// Engine is a program that is ready to run. It may be used by several
// goroutines.
type Engine struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
}

// Open makes the program ready. The caller closes what it is given.
func Open(ctx context.Context, s Speed) (*Engine, error) {
	config := wazero.NewRuntimeConfig() // an interpreter where wazero has no compiler for the machine
	if s == Interpret {
		config = wazero.NewRuntimeConfigInterpreter()
	}
	config = config.WithCloseOnContextDone(true).WithMemoryLimitPages(memoryLimit)
	e := &Engine{runtime: wazero.NewRuntimeWithConfig(ctx, config)}
	if err := e.load(ctx); err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

func (e *Engine) load(ctx context.Context) (err error) {
	if e.compiled, err = e.runtime.CompileModule(ctx, program); err != nil {
		return err
	}
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, e.runtime); err != nil {
		return err
	}
	// The program can be given plug-ins that call back. It is given none, so
	// what it imports for them is never called.
	env := e.runtime.NewHostModuleBuilder("env")
	for _, f := range e.compiled.ImportedFunctions() {
		if module, name, _ := f.Import(); module == "env" {
			never := func(context.Context, api.Module, []uint64) { panic("layout: graphviz called " + name) }
			env.NewFunctionBuilder().WithGoModuleFunction(api.GoModuleFunc(never), f.ParamTypes(), f.ResultTypes()).Export(name)
		}
	}
	_, err = env.Instantiate(ctx)
	return err
}

// Close frees what Open took.
func (e *Engine) Close() error { return e.runtime.Close(context.Background()) }

// Render lays out a graph in the DOT language and gives it in a format of
// Graphviz: svg, json and the like. Each call runs in a memory of its own.
//
// When the context ends, so does the call, with the context's error.
func (e *Engine) Render(ctx context.Context, dot []byte, format string) ([]byte, error) {
	var said bytes.Buffer
	m, err := e.runtime.InstantiateModule(ctx, e.compiled, wazero.NewModuleConfig().WithName("").WithStderr(&said))
	if err != nil {
		return nil, because(ctx, err, &said)
	}
	defer m.Close(context.Background())
	r := &run{ctx: ctx, module: m}
	drawn := r.render(dot, format)
	if r.err != nil {
		return nil, because(ctx, r.err, &said)
	}
	return drawn, nil
}

// because gives the reason of an error: the context's, or else what Graphviz
// said last.
func because(ctx context.Context, err error, said *bytes.Buffer) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	lines := strings.Split(strings.TrimSpace(said.String()), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return fmt.Errorf("graphviz: %w: %s", err, last)
	}
	return fmt.Errorf("graphviz: %w", err)
}
