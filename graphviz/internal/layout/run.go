package layout

import (
	"bytes"
	"context"
	"fmt"

	"github.com/tetratelabs/wazero/api"
)

// run is one run of the program. The first error stays; after it nothing is
// done any more.
type run struct {
	ctx    context.Context
	module api.Module
	err    error
}

// pointer is an address in the program's memory. So are its sizes and counts.
type pointer = uint32

const sizeOfPointer = 4

// render calls what Graphviz's manual for library users says, in that order.
// All memory goes with the run, so nothing is freed.
func (r *run) render(dot []byte, format string) []byte {
	gvc := r.call("gvContextPlugins", r.plugins(), 0)
	graph := r.call("agmemread", r.bytes(dot))
	if r.err == nil && graph == 0 {
		r.err = fmt.Errorf("cannot read the graph")
	}
	if failed := r.call("gvLayout", gvc, graph, r.bytes([]byte("dot"))); r.err == nil && failed != 0 {
		r.err = fmt.Errorf("cannot lay out the graph")
	}
	result := r.call("malloc", 2*sizeOfPointer) // of a pointer, and behind it a size
	if failed := r.call("gvRenderData", gvc, graph, r.bytes([]byte(format)), result, result+sizeOfPointer); r.err == nil && failed != 0 {
		r.err = fmt.Errorf("cannot write the graph as %s", format)
	}
	return r.read(r.word(result), r.word(result+sizeOfPointer))
}

// plugins makes the list of plug-ins that Graphviz wants: pairs of a name and
// an address, the last of them zero. The program gives its own as a slice (a
// length, and a pointer to pointers to pairs, two words apart).
func (r *run) plugins() pointer {
	answer := r.call("malloc", sizeOfPointer)
	r.call("wasm_bridge_SymList_default", answer)
	slice := r.word(answer)
	n, pairs := r.word(slice), r.word(slice+sizeOfPointer)
	list := r.call("calloc", n+1, 2*sizeOfPointer)
	for i := range n {
		pair := r.word(pairs + i*2*sizeOfPointer)
		r.write(list+i*2*sizeOfPointer, r.read(pair, 2*sizeOfPointer))
	}
	return list
}

// call calls an exported function and gives its result, or 0 if it has none.
func (r *run) call(name string, args ...uint32) uint32 {
	if r.err != nil {
		return 0
	}
	wide := make([]uint64, len(args))
	for i, a := range args {
		wide[i] = uint64(a)
	}
	results, err := r.module.ExportedFunction(name).Call(r.ctx, wide...)
	if err != nil {
		r.err = err
		return 0
	}
	if len(results) == 0 {
		return 0
	}
	return uint32(results[0])
}

// bytes puts a string into the program's memory, as C wants it.
func (r *run) bytes(s []byte) pointer {
	p := r.call("malloc", uint32(len(s)+1))
	r.write(p, append(s[:len(s):len(s)], 0))
	return p
}

func (r *run) word(p pointer) uint32 {
	if r.err != nil {
		return 0
	}
	w, ok := r.module.Memory().ReadUint32Le(p)
	r.inMemory(ok)
	return w
}

// read copies: the memory itself moves and goes.
func (r *run) read(p pointer, size uint32) []byte {
	if r.err != nil {
		return nil
	}
	b, ok := r.module.Memory().Read(p, size)
	r.inMemory(ok)
	return bytes.Clone(b)
}

func (r *run) write(p pointer, b []byte) {
	if r.err == nil {
		r.inMemory(r.module.Memory().Write(p, b))
	}
}

func (r *run) inMemory(ok bool) {
	if !ok {
		r.err = fmt.Errorf("an address outside its memory")
	}
}
