// Package cache is memcached beside a database: Rajesh Nishtala et al., "Scaling
// Memcache at Facebook", NSDI 2013, section 3.2.1 (leases), and memcached's own
// option -M, which refuses a set when memory is full instead of evicting.
//
// The database is the truth. A writer updates it, then the cache; a reader asks
// the cache and, if that has nothing, the database, and puts what it got into
// the cache for others. There is one key, and its values are versions.
package cache

import (
	"fmt"

	"github.com/caulk-go/caulk/model"
)

// Agents. Readers come after the writer.
const (
	database model.ID = iota + 1
	memory
	writer
)

// Message is a request, or its answer.
type Message = model.Message[Body]

// Body is what a message says.
type Body interface{ body() }

type (
	Update  struct{ Version int } // to the database
	Updated struct{}              // and its answer
	Fetch   struct{}              // to the database
	Fetched struct{ Version int } // and its answer

	Get  struct{}              // to the cache
	Hit  struct{ Version int } // what it has
	Miss struct{ Lease int }   // nothing, but a lease to fill it

	Fill   struct{ Version, Lease int } // to the cache, by a reader
	Set    struct{ Version int }        // to the cache, by the writer
	SetAck struct{}                     // stored or refused
)

func (Update) body()  {}
func (Updated) body() {}
func (Fetch) body()   {}
func (Fetched) body() {}
func (Get) body()     {}
func (Hit) body()     {}
func (Miss) body()    {}
func (Fill) body()    {}
func (Set) body()     {}
func (SetAck) body()  {}

// Detail is the version.
func (b Update) Detail() string { return version(b.Version) }

// Detail is the version.
func (b Fetched) Detail() string { return version(b.Version) }

// Detail is the version.
func (b Hit) Detail() string { return version(b.Version) }

// Detail is the version.
func (b Fill) Detail() string { return version(b.Version) }

// Detail is the version.
func (b Set) Detail() string { return version(b.Version) }

func version(n int) string { return fmt.Sprintf("v%d", n) }

// Variant is what a cache and its clients get right. All of it together holds.
type Variant struct {
	RefusalDeletes bool // a set that is refused deletes what was there
	Leases         bool // a fill counts only if nothing was set since its miss
	SetsWait       bool // a write is over when the cache has answered
}

// Truth is the state of the database: the version.
type Truth int

type db struct{}

func (db) Fresh(model.ID, []model.ID, int) (Truth, []Message) { return 0, nil }

func (db) Receive(t Truth, m Message) (Truth, []Message) {
	switch b := m.Body.(type) {
	case Update:
		return Truth(b.Version), []Message{{To: m.From, Body: Updated{}}}
	case Fetch:
		return t, []Message{{To: m.From, Body: Fetched{int(t)}}}
	}
	return t, nil
}

// Label is the version.
func (db) Label(t Truth) string { return version(int(t)) }

// Entry is the state of the cache.
type Entry struct {
	Holds   bool
	Version int
	Lease   int  // the one that a fill must bear; each set makes it another
	Full    bool // memory is: a new value is refused
}

type server struct{ Variant }

func (server) Fresh(model.ID, []model.ID, int) (Entry, []Message) { return Entry{}, nil }

func (v server) Receive(e Entry, m Message) (Entry, []Message) {
	switch b := m.Body.(type) {
	case Get:
		if e.Holds {
			return e, []Message{{To: m.From, Body: Hit{e.Version}}}
		}
		return e, []Message{{To: m.From, Body: Miss{e.Lease}}}
	case Fill:
		if v.Leases && b.Lease != e.Lease {
			return e, nil
		}
		return v.store(e, b.Version), nil
	case Set:
		e.Lease++
		return v.store(e, b.Version), []Message{{To: m.From, Body: SetAck{}}}
	}
	return e, nil
}

// store puts a value there, or refuses it. Who asked is told neither way.
func (v server) store(e Entry, version int) Entry {
	switch {
	case !e.Full:
		e.Holds, e.Version = true, version
	case v.RefusalDeletes:
		e.Holds, e.Version = false, 0
	}
	return e
}

func (server) Actions() []model.Action[Entry, Body] {
	return []model.Action[Entry, Body]{{Name: "memory is full", Kind: model.Input, Do: func(e Entry) (Entry, []Message, bool) {
		full := e
		full.Full = true
		return full, nil, !e.Full
	}}}
}

// Label is what it holds, with ! once memory is full.
func (server) Label(e Entry) string {
	label := "-"
	if e.Holds {
		label = version(e.Version)
	}
	if e.Full {
		label += "!"
	}
	return label
}

// Writing is the state of the writer.
type Writing struct {
	Version int // that it wrote last, or writes
	Step    string
}

// setter writes one version after the other: the database, then the cache.
type setter struct {
	Variant
	writes int
}

func (setter) Fresh(model.ID, []model.ID, int) (Writing, []Message) { return Writing{}, nil }

func (s setter) Actions() []model.Action[Writing, Body] {
	return []model.Action[Writing, Body]{{Name: "write", Kind: model.Input, Do: func(w Writing) (Writing, []Message, bool) {
		next := Writing{w.Version + 1, "updates"}
		return next, []Message{{To: database, Body: Update{next.Version}}}, w.Step == "" && w.Version < s.writes
	}}}
}

func (s setter) Receive(w Writing, m Message) (Writing, []Message) {
	switch m.Body.(type) {
	case Updated:
		w.Step = ""
		if s.SetsWait {
			w.Step = "sets"
		}
		return w, []Message{{To: memory, Body: Set{w.Version}}}
	case SetAck:
		if s.SetsWait {
			w.Step = ""
		}
	}
	return w, nil
}

// Label is the version, with w while it is written.
func (setter) Label(w Writing) string {
	if w.Step != "" {
		return fmt.Sprintf("w%d", w.Version)
	}
	return fmt.Sprint(w.Version)
}

// Reading is the state of a reader.
type Reading struct {
	Reads int // that it has begun
	Waits bool
	Lease int // while it fetches: to fill the cache
	Got   int // the version that it read last
}

type getter struct{ reads int }

func (getter) Fresh(model.ID, []model.ID, int) (Reading, []Message) { return Reading{}, nil }

func (g getter) Actions() []model.Action[Reading, Body] {
	return []model.Action[Reading, Body]{{Name: "read", Kind: model.Input, Do: func(r Reading) (Reading, []Message, bool) {
		return Reading{Reads: r.Reads + 1, Waits: true, Got: r.Got}, []Message{{To: memory, Body: Get{}}}, !r.Waits && r.Reads < g.reads
	}}}
}

func (getter) Receive(r Reading, m Message) (Reading, []Message) {
	switch b := m.Body.(type) {
	case Hit:
		r.Waits, r.Got = false, b.Version
	case Miss:
		r.Lease = b.Lease
		return r, []Message{{To: database, Body: Fetch{}}}
	case Fetched:
		fill := Fill{b.Version, r.Lease}
		r.Waits, r.Got, r.Lease = false, b.Version, 0
		return r, []Message{{To: memory, Body: fill}}
	}
	return r, nil
}

// Label is the version that was read last, with ? while the reader waits.
func (getter) Label(r Reading) string {
	if r.Waits {
		return "?"
	}
	return fmt.Sprint(r.Got)
}
