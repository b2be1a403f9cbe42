package paxoslog

import (
	"maps"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// Store is what the log comes to: it is written to disk as a whole, with the number
// of slots that are in it.
type Store struct {
	Applied int
	Values  map[string]string   // by key
	Done    map[model.ID]Answer // the last call of each client, with its answer
}

// apply is the store with one more slot in it. A call that was done before is not
// done again.
func (s Store) apply(b Batch) Store {
	s.Done = maps.Clone(s.Done)
	if s.Done == nil {
		s.Done = map[model.ID]Answer{}
	}
	s.Values = maps.Clone(s.Values)
	if s.Values == nil {
		s.Values = map[string]string{}
	}
	for _, r := range b {
		if r.Number <= s.Done[r.Client].Number {
			continue
		}
		answer := Answer{Number: r.Number}
		next, read := r.Call.do(s.Values[r.Call.Key])
		answer.Read = read
		if r.Call.Op != Read {
			s.Values[r.Call.Key] = next
		}
		s.Done[r.Client] = answer
	}
	s.Applied++
	return s
}

// do is what a call does to the value of its key, and what it reads.
func (c Call) do(value string) (next, read string) {
	switch c.Op {
	case Append:
		return value + c.Value, ""
	case Put:
		return c.Value, ""
	}
	return value, value
}

// decided adds a slot to the log, and to the store.
func (r server) decided(s Server, b Batch) Server {
	s.Log = append(slices.Clone(s.Log), b)
	s.Store = s.Store.apply(b)
	s.Accepted, s.Best = Proposal{}, Proposal{}
	if over := len(s.Log) - r.keep; r.keep > 0 && over > 0 {
		s.Base, s.Log = s.Base+over, s.Log[over:]
	}
	return s
}

// slots are how many are decided, as far as the server knows.
func (s Server) slots() int { return s.Base + len(s.Log) }

// missed is what another lacks that knows so many slots.
func (s Server) missed(slots int) Missed {
	switch {
	case slots >= s.slots():
		return Missed{First: slots}
	case slots < s.Base:
		return Missed{Store: s.Store, First: s.slots()}
	}
	return Missed{First: slots, Log: s.Log[slots-s.Base:]}
}

// learn takes over what others have decided.
func (r server) learn(s Server, b Missed) Server {
	if b.Store.Applied > s.slots() {
		s.Store, s.Base, s.Log = b.Store, b.Store.Applied, nil
		s.Accepted, s.Best = Proposal{}, Proposal{}
	}
	for i, batch := range b.Log {
		if b.First+i == s.slots() {
			s = r.decided(s, batch)
		}
	}
	return s
}
