package explorer

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"

	"github.com/caulk-go/caulk/trace"
)

// CheckpointSchema is the name of the checkpoint's format.
const CheckpointSchema = checkpointFamily + "v1"

const checkpointFamily = "caulk/checkpoint/" // what every version begins with

// engine is raised whenever the order in which a search does things changes:
// then a checkpoint of before cannot be resumed.
const engine = 2

// A checkpoint is a search between two batches. It holds no value of the
// user's: what the handlers were asked, in order, is asked again, so that
// every local state and message gets its number anew, and a digest of the
// answers says whether they are the same. Then the packed states mean what
// they did.
//
//	caulk/checkpoint/v1        a line
//	{...}                      a line: the checkpointHeader
//	the questions              and marks of the answers; numbers are uvarints
//	the layout's digest
//	the queue
//	the states of each partition, as little-endian words, and what sleeps in them
//	the states that are inconsistent, those set aside
//	end                        a line, and SHA-256 of all before it

// checkpointEnd is what stands before the checksum: a file without it was cut
// off.
const checkpointEnd = "\nend\n"

// checkpointHeader is what of a checkpoint can be read by people. Its JSON
// names belong to the format.
type checkpointHeader struct {
	Engine     int             `json:"engine"`
	Setting    trace.Setting   `json:"setting"`
	KeepGoing  bool            `json:"keep_going"`
	Reduce     []string        `json:"reduce"`
	Properties []savedProperty `json:"properties"` // those that are checked
	Seconds    float64         `json:"seconds"`    // of searching

	States       int64 `json:"states"`
	Transitions  int64 `json:"transitions"`
	Terminal     int64 `json:"terminal_states"`
	Halted       int64 `json:"halted_states"`
	Inconsistent int64 `json:"inconsistent_states"`
	Beyond       int64 `json:"beyond"`        // states beyond the boundary
	ShortestHalt int   `json:"shortest_halt"` // -1 while there is none

	Answers       int            `json:"answers"`        // of the handlers'
	Digest        string         `json:"digest"`         // of all answers
	Making        making         `json:"making"`         // of the layout
	PackedAnswers int            `json:"packed_answers"` // that the rows hold
	InFlight      int            `json:"in_flight"`
	Copies        map[uint32]int `json:"copies"`
	Effort        effort         `json:"effort"` // of the last batch
}

// savedProperty is a property and what was found of it.
type savedProperty struct {
	Name    string    `json:"name"`
	Kind    string    `json:"kind"`
	Tested  int64     `json:"tested_states"`
	Settled bool      `json:"settled"`
	Nearest *savedHit `json:"nearest"`
	Depth   int       `json:"depth"`
	Level   *savedHit `json:"level"`
}

// savedFlat is a flat state.
type savedFlat struct {
	States []uint32 `json:"states"`
	Net    []uint32 `json:"net"`
	Extra  []uint32 `json:"extra"`
}

// savedHit is a hit; To is nil but for a step.
type savedHit struct {
	At savedFlat  `json:"at"`
	To *savedFlat `json:"to"`
}

func saveFlat(f flat) savedFlat { return savedFlat{f.states, f.net, f.extra} }

func saveHit(h *hit) *savedHit {
	if h == nil {
		return nil
	}
	saved := &savedHit{At: saveFlat(h.at)}
	if h.to != nil {
		to := saveFlat(*h.to)
		saved.To = &to
	}
	return saved
}

func (s *search) header() checkpointHeader {
	h := checkpointHeader{
		Engine:    engine,
		Setting:   trace.SettingOf(s.sys),
		KeepGoing: s.opts.KeepGoing,
		Reduce:    s.reduceNames(),
		Seconds:   s.elapsed().Seconds(),

		States: s.states, Transitions: s.transitions, Terminal: s.terminal,
		Halted: s.halted, Inconsistent: s.inconsistent, Beyond: s.beyond, ShortestHalt: s.shortestHalt,

		Answers:       s.tables.answered,
		Digest:        hex.EncodeToString(s.tables.history.digest[:]),
		Making:        s.making,
		PackedAnswers: s.packedAnswers,
		InFlight:      s.inFlight,
		Copies:        s.tables.copies,
		Effort:        s.effort,
	}
	for i := range s.properties {
		p := &s.properties[i]
		h.Properties = append(h.Properties, savedProperty{
			p.Name, p.Kind.String(), p.tested, p.settled, saveHit(p.nearest), p.depth, saveHit(p.level),
		})
	}
	return h
}

// checkpointWriter writes the parts of a checkpoint. What goes wrong comes to
// light when it is flushed.
type checkpointWriter struct{ *bufio.Writer }

func (w *checkpointWriter) number(n uint64) {
	w.Write(binary.AppendUvarint(w.AvailableBuffer(), n))
}

func writeCheckpoint(file io.Writer, s *search, space packed) error {
	sum := sha256.New()
	w := &checkpointWriter{bufio.NewWriterSize(io.MultiWriter(file, sum), 1<<16)}
	header, err := json.Marshal(s.header())
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%s\n%s\n", CheckpointSchema, header)
	w.Write(s.tables.history.start[:])
	for _, q := range s.tables.history.questions {
		w.number(uint64(q.agent))
		w.number(uint64(q.state))
		w.number(uint64(q.msg + 1))
		w.Write(q.answers[:])
	}
	space.save(w)
	w.WriteString(checkpointEnd)
	if err := w.Flush(); err != nil {
		return err
	}
	_, err = file.Write(sum.Sum(nil))
	return err
}

// save writes what was found, and where the search is in it.
func (s *space[K]) save(w *checkpointWriter) {
	layout := s.layout.digest()
	w.Write(layout[:])
	s.queue.save(w)
	for i := range s.parts {
		p := &s.parts[i]
		w.number(uint64(p.states))
		for n := range p.states {
			saveKey(w, p.at(n))
		}
		p.asleep.save(w)
		p.growing.save(w)
	}
	w.number(uint64(len(s.bad)))
	for i := range s.parts {
		for n := uint32(0); n < s.parts[i].states && len(s.bad) > 0; n++ {
			if k := s.parts[i].at(n); s.isBad(k) {
				saveKey(w, k)
			}
		}
	}
	w.number(uint64(len(s.aside)))
	for i := range s.aside {
		saveKey(w, &s.aside[i].key)
		saveKey(w, &s.aside[i].sleep)
	}
}

// save writes what sleeps: without it the search would find the same states,
// but not in the same order.
func (l *sleepers[K]) save(w *checkpointWriter) {
	w.number(uint64(l.from))
	w.number(uint64(len(l.sets)))
	for i := range l.sets {
		saveKey(w, &l.sets[i])
	}
}

func saveKey[K words](w *checkpointWriter, k *K) {
	b := w.AvailableBuffer()
	for i := 0; i < len(*k); i++ {
		b = binary.LittleEndian.AppendUint64(b, (*k)[i])
	}
	w.Write(b)
}

func (s *space[K]) isBad(k *K) bool {
	_, bad := s.bad[*k]
	return bad
}

// digest tells one layout from another.
func (l *layout) digest() digest { return sha256.Sum256(fmt.Appendf(nil, "%+v", *l)) }

func (q *queue) save(w *checkpointWriter) {
	w.number(uint64(len(q.runs)))
	for _, r := range q.runs {
		w.number(uint64(r.part))
		w.number(uint64(r.states()))
	}
	w.number(uint64(len(q.starts)))
	for _, start := range q.starts {
		w.number(uint64(start))
	}
	w.number(uint64(q.taken))
	w.number(uint64(q.offset))
}
