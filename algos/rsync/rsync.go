// Package rsync is the rsync algorithm: Andrew Tridgell and Paul Mackerras, "The
// rsync algorithm", TR-CS-96-05, Australian National University, 1996.
//
// The receiver has an old file, the sender a new one. The receiver cuts its file
// into blocks and sends two checksums of each, a weak one that can be rolled
// along and a strong one. The sender looks for these blocks at every place of
// its file, and answers with instructions: copy your block i, or here is a letter.
package rsync

import (
	"fmt"

	"github.com/caulk-go/caulk/model"
)

// Agents.
const (
	receiver model.ID = iota + 1
	sender
)

// Message is sent between the two.
type Message = model.Message[Body]

// Body is what a message says.
type Body interface{ body() }

// Signature is the checksums of the receiver's blocks, in order. A last block
// that is shorter than the others has none.
type Signature struct{ Sums []Sums }

// Delta is how to make the new file, and the checksum of all of it.
type Delta struct {
	Ops   []Op
	Whole string
}

func (Signature) body() {}
func (Delta) body()     {}

// Sums are the checksums of a block.
type Sums struct {
	Weak   int
	Strong string
}

// Op is an instruction: a letter or, if that is "", to copy a block.
type Op struct {
	Letter string
	Block  int
}

// weak is the sum of the letters modulo 2, a counting 0 and b counting 1: so
// weak that ab and ba have the same.
func weak(block string) int {
	sum := 0
	for i := range block {
		sum += int(block[i] - 'a')
	}
	return sum % 2
}

// roll is the weak sum of the block one place further on.
func roll(sum int, out, in byte) int { return (sum + 2 - int(out-'a') + int(in-'a')) % 2 }

// strong stands for a checksum that never is the same for two files.
func strong(s string) string { return s }

// Variant is which of rsync's checks are made.
type Variant struct {
	StrongSums bool // a block matches only if its strong sum does
	WholeSum   bool // the receiver checks what it made, and begins again if it is not the new file
}

// File is the state of the receiver.
type File struct {
	Content string
	Changed bool // by somebody else, since the exchange began
	Tries   int
	Done    bool
	Copied  bool // a block of the old file was used
}

type getter struct {
	Variant
	block   int
	changes bool // the file may be changed once while the exchange is under way
}

func (getter) Fresh(model.ID, []model.ID, int) (File, []Message) { return File{}, nil }

// Start has the old file, and begins the exchange.
func (g getter) Start(f File, content string) (File, []Message) {
	f.Content = content
	return g.begin(f)
}

func (g getter) begin(f File) (File, []Message) {
	f.Tries++
	var s Signature
	for at := 0; at+g.block <= len(f.Content); at += g.block {
		block := f.Content[at : at+g.block]
		s.Sums = append(s.Sums, Sums{weak(block), strong(block)})
	}
	return f, []Message{{To: sender, Body: s}}
}

func (g getter) Receive(f File, m Message) (File, []Message) {
	d, ok := m.Body.(Delta)
	if !ok {
		return f, nil
	}
	made, copied := g.apply(f.Content, d.Ops)
	if g.WholeSum && strong(made) != d.Whole {
		return g.begin(f)
	}
	f.Content, f.Done, f.Copied = made, true, copied
	return f, nil
}

// apply makes the new file of the old one. A block that is no longer there
// gives nothing.
func (g getter) apply(old string, ops []Op) (made string, copied bool) {
	for _, op := range ops {
		if op.Letter != "" {
			made += op.Letter
		} else if at := op.Block * g.block; at+g.block <= len(old) {
			made += old[at : at+g.block]
			copied = true
		}
	}
	return made, copied
}

// Actions: somebody else edits the file, once.
func (g getter) Actions() []model.Action[File, Body] {
	return []model.Action[File, Body]{{Name: "edit", Kind: model.Input, Do: func(f File) (File, []Message, bool) {
		if !g.changes || f.Changed || f.Done || f.Content == "" {
			return f, nil, false
		}
		flipped := map[byte]string{'a': "b", 'b': "a"}[f.Content[0]]
		f.Content, f.Changed = flipped+f.Content[1:], true
		return f, nil, true
	}}}
}

// Label is the file, with . once it is what it should be.
func (getter) Label(f File) string {
	if f.Done {
		return fmt.Sprintf("%q. ", f.Content)
	}
	return fmt.Sprintf("%q ", f.Content)
}

// Source is the state of the sender: the new file.
type Source string

type giver struct {
	Variant
	block int
}

func (giver) Fresh(model.ID, []model.ID, int) (Source, []Message) { return "", nil }
func (giver) Start(_ Source, content string) (Source, []Message)  { return Source(content), nil }
func (giver) Label(s Source) string                               { return fmt.Sprintf("%q", string(s)) }
func (g giver) Receive(s Source, m Message) (Source, []Message) {
	b, ok := m.Body.(Signature)
	if !ok {
		return s, nil
	}
	return s, []Message{{To: receiver, Body: Delta{g.delta(string(s), b.Sums), strong(string(s))}}}
}

// delta slides over the new file: where a block of the old one matches, it is
// copied and skipped; elsewhere a letter is sent.
func (g giver) delta(file string, sums []Sums) []Op {
	var ops []Op
	sum, rolling := 0, false // of the block at the place
	for at := 0; at < len(file); {
		if at+g.block > len(file) {
			ops, at = append(ops, Op{Letter: file[at : at+1]}), at+1
			continue
		}
		block := file[at : at+g.block]
		if rolling {
			sum = roll(sum, file[at-1], block[g.block-1])
		} else {
			sum = weak(block)
		}
		if i := g.find(sums, sum, block); i >= 0 {
			ops, at, rolling = append(ops, Op{Block: i}), at+g.block, false
			continue
		}
		ops, at, rolling = append(ops, Op{Letter: file[at : at+1]}), at+1, true
	}
	return ops
}

// find is the first block with these sums, or -1.
func (g giver) find(sums []Sums, sum int, block string) int {
	for i, s := range sums {
		if s.Weak == sum && (!g.StrongSums || s.Strong == strong(block)) {
			return i
		}
	}
	return -1
}

// equal is that a file that is said to be copied is.
func equal() model.Property {
	p := model.Always("the copy is the file", func(v model.View) error {
		f, s := model.StateOf[File](v, receiver), model.StateOf[Source](v, sender)
		if f.Done && f.Content != string(s) {
			return fmt.Errorf("the receiver has %q and takes it for the file, which is %q", f.Content, string(s))
		}
		return nil
	})
	p.Doc = "once the receiver is done, its file is the sender's"
	return p
}

func copied(v model.View) bool { return model.StateOf[File](v, receiver).Copied }

func triedAgain(v model.View) bool {
	f := model.StateOf[File](v, receiver)
	return f.Done && f.Tries > 1
}

func allDone(v model.View) bool { return model.StateOf[File](v, receiver).Done }
