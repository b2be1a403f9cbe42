// Package search is the front end of Debian Code Search: Michael Stapelberg,
// "Debian Code Search", diploma thesis 2012, and its later streaming front end.
//
// A query goes to several index servers, which stream what they find. The front
// end puts it in order, so that the same query gives the same pages: by rank,
// and by a hash of the path where ranks are equal.
package search

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/model"
)

const front model.ID = 1 // the index servers come after it

// Message is sent between the front end and the index servers.
type Message = model.Message[Body]

// Body is what a message says.
type Body interface{ body() }

// Result is a place where the query was found.
type Result struct {
	Rank int
	Path string
}

type (
	Query struct{}            // to an index server
	Found struct{ Result }    // to the front end
	Ack   struct{}            // to the index server: one result less is on its way
	End   struct{ Count int } // to the front end: that many results were sent
)

func (Query) body() {}
func (Found) body() {}
func (Ack) body()   {}
func (End) body()   {}

// Detail is the path.
func (f Found) Detail() string { return f.Path }

// Variant is what a system gets right. All of it together holds.
type Variant struct {
	TiesByHash  bool // results of one rank stand in an order of their own, not that of arrival
	SaysPartial bool // who gives up on a server says so
	Window      bool // a server waits while too much is on its way
}

// Index is the state of an index server.
type Index struct {
	Asked   bool
	Left    []Result // to be sent
	Sent    int
	Unacked int // on their way, or not acknowledged yet
	Ended   bool
}

type server struct {
	Variant
	found  func(self model.ID) []Result
	window int
}

func (v server) Fresh(self model.ID, _ []model.ID, _ int) (Index, []Message) {
	return Index{Left: v.found(self)}, nil
}

func (server) Receive(s Index, m Message) (Index, []Message) {
	switch m.Body.(type) {
	case Query:
		s.Asked = true
	case Ack:
		s.Unacked--
	}
	return s, nil
}

// Actions: search goes on while its reader keeps up.
func (v server) Actions() []model.Action[Index, Body] {
	return []model.Action[Index, Body]{{Name: "search", Kind: model.Step, Fair: true, Do: func(s Index) (Index, []Message, bool) {
		switch {
		case !s.Asked || s.Ended || v.Window && s.Unacked == v.window:
			return s, nil, false
		case len(s.Left) == 0:
			s.Ended = true
			return s, []Message{{To: front, Body: End{s.Sent}}}, true
		}
		r := s.Left[0]
		s.Left, s.Sent, s.Unacked = s.Left[1:], s.Sent+1, s.Unacked+1
		return s, []Message{{To: front, Body: Found{r}}}, true
	}}}
}

// Label is how many were sent, with . at the end.
func (server) Label(s Index) string {
	if s.Ended {
		return fmt.Sprintf("%d.", s.Sent)
	}
	return fmt.Sprint(s.Sent)
}

// Pages is the state of the front end.
type Pages struct {
	Results []Result         // in the order of the pages
	Got     map[model.ID]int // from each server
	Open    map[model.ID]int // servers that are not done: how many results they announced, -1 while they did not
	Partial bool
	Done    bool
}

type frontEnd struct {
	Variant
	servers []model.ID
}

func (f frontEnd) Fresh(model.ID, []model.ID, int) (Pages, []Message) {
	p := Pages{Got: map[model.ID]int{}, Open: map[model.ID]int{}}
	var sent []Message
	for _, id := range f.servers {
		p.Open[id] = -1
		sent = append(sent, Message{To: id, Body: Query{}})
	}
	return p, sent
}

func (f frontEnd) Receive(p Pages, m Message) (Pages, []Message) {
	if _, open := p.Open[m.From]; !open {
		return p, nil // of a server that was given up
	}
	var sent []Message
	p = p.clone()
	switch b := m.Body.(type) {
	case Found:
		p.Results = f.insert(p.Results, b.Result)
		p.Got[m.From]++
		sent = []Message{{To: m.From, Body: Ack{}}}
	case End:
		p.Open[m.From] = b.Count
	}
	if p.Open[m.From] == p.Got[m.From] {
		p.close(m.From)
	}
	return p, sent
}

// Actions: a server that does not answer is given up on.
func (f frontEnd) Actions() []model.Action[Pages, Body] {
	var actions []model.Action[Pages, Body]
	for _, id := range f.servers {
		actions = append(actions, model.Action[Pages, Body]{
			Name: fmt.Sprintf("give up on %d by", id), Kind: model.Timer, Fair: true,
			Do: func(p Pages) (Pages, []Message, bool) {
				if _, open := p.Open[id]; !open {
					return p, nil, false
				}
				p = p.clone()
				p.close(id)
				p.Partial = f.SaysPartial
				return p, nil, true
			},
		})
	}
	return actions
}

// insert puts a result where it belongs.
func (f frontEnd) insert(all []Result, r Result) []Result {
	at, _ := slices.BinarySearchFunc(all, r, func(a, b Result) int {
		if c := cmp.Compare(b.Rank, a.Rank); c != 0 || f.TiesByHash {
			return cmp.Or(c, cmp.Compare(hash(a.Path), hash(b.Path)), strings.Compare(a.Path, b.Path))
		}
		return -1 // behind those that came before it
	})
	return slices.Insert(slices.Clone(all), at, r)
}

func hash(path string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(path))
	return h.Sum32()
}

func (p Pages) clone() Pages {
	p.Got, p.Open = maps.Clone(p.Got), maps.Clone(p.Open)
	return p
}

// close is that no more is awaited of a server.
func (p *Pages) close(id model.ID) {
	delete(p.Open, id)
	p.Done = len(p.Open) == 0
}

// Label is the results in order, each by the first letter of its path and its
// server, with ... for a partial result that is done, and . for a whole one.
func (frontEnd) Label(p Pages) string {
	var b strings.Builder
	for _, r := range p.Results {
		b.WriteString(r.Path)
	}
	switch {
	case p.Done && p.Partial:
		b.WriteString("...")
	case p.Done:
		b.WriteString(".")
	}
	return b.String() + " "
}
