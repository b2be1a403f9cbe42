package xsync

import (
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// Speculator: a client of a file server does not wait for the server's answer
// either. It predicts it, from its cache, and goes on from a checkpoint; if the
// answer is another, all that depends on it is rolled back. Section numbers are
// those of the SOSP 2005 paper.

// Guess is the variant of a speculating client. All of it together holds.
type Guess struct {
	Holds  bool // what a speculative process prints is held back (section 4.1)
	Follow bool // who reads from a speculative process becomes speculative (section 4.3)
}

// Letter is a message of the client, the server and the screen.
type Letter = model.Message[Note]

// Note is what a message says.
type Note struct {
	Type    string // Check: is it still that version? Answer: it is this. Print.
	Version int
}

// Kind is its type.
func (n Note) Kind() string { return n.Type }

// Detail is the version.
func (n Note) Detail() string { return fmt.Sprintf("v%d", n.Version) }

const server model.ID = 3

// Share is the state of the file server: the version of the file.
type Share int

type fileServer struct{ changes int }

func (fileServer) Fresh(model.ID, []model.ID, int) (Share, []Letter) { return 1, nil }

func (fileServer) Receive(s Share, m Letter) (Share, []Letter) {
	return s, []Letter{{To: m.From, Body: Note{"Answer", int(s)}}}
}

// Actions: another client writes the file.
func (f fileServer) Actions() []model.Action[Share, Note] {
	return []model.Action[Share, Note]{{Name: "change", Kind: model.Input, Do: func(s Share) (Share, []Letter, bool) {
		return s + 1, nil, int(s) <= f.changes
	}}}
}

// Label is the version.
func (fileServer) Label(s Share) string { return fmt.Sprintf("v%d", int(s)) }

// Desk is the state of the client: its cache, and two processes. Process p
// reads the file; q reads what p tells it.
type Desk struct {
	Cached int
	Asking bool // the guess of p is being checked
	Opens  int  // of the file, so far
	P, Q   Reader
	Held   []int // versions that were printed, while they were guessed

	Confirmed []int // versions that the server said the file has
}

// Reader is what a process has read. Version 0 is nothing.
type Reader struct {
	Version int
	Guessed bool // it is to be rolled back if the guess of p was wrong
	Printed bool
}

type desk struct {
	Guess
	opens int
}

func (desk) Fresh(model.ID, []model.ID, int) (Desk, []Letter) { return Desk{Cached: 1}, nil }

func (d desk) Actions() []model.Action[Desk, Note] {
	step := func(name string, do func(Desk) (Desk, []Letter, bool)) model.Action[Desk, Note] {
		return model.Action[Desk, Note]{Name: name, Kind: model.Step, Do: do}
	}
	return []model.Action[Desk, Note]{
		step("p guesses", func(s Desk) (Desk, []Letter, bool) {
			enabled := !s.Asking && s.Opens < d.opens
			s.Asking, s.Opens = true, s.Opens+1
			s.P = Reader{Version: s.Cached, Guessed: true}
			return s, []Letter{{To: server, Body: Note{"Check", s.Cached}}}, enabled
		}),
		step("p tells q", func(s Desk) (Desk, []Letter, bool) {
			enabled := s.P.Version != 0 && s.Q.Version != s.P.Version
			s.Q = Reader{Version: s.P.Version, Guessed: s.P.Guessed && d.Follow}
			return s, nil, enabled
		}),
		step("p prints", func(s Desk) (Desk, []Letter, bool) {
			r, sent, enabled := d.print(&s, s.P)
			s.P = r
			return s, sent, enabled
		}),
		step("q prints", func(s Desk) (Desk, []Letter, bool) {
			r, sent, enabled := d.print(&s, s.Q)
			s.Q = r
			return s, sent, enabled
		}),
	}
}

// print has a process print what it read. What depends on a guess is held back.
func (d desk) print(s *Desk, r Reader) (Reader, []Letter, bool) {
	enabled := r.Version != 0 && !r.Printed
	r.Printed = true
	if r.Guessed && d.Holds {
		s.Held = append(s.Held, r.Version)
		return r, nil, enabled
	}
	return r, []Letter{{To: screen, Body: Note{"Print", r.Version}}}, enabled
}

// Receive is the server's answer: the guess was right, or all that depends on
// it is rolled back, and p reads the file anew.
func (d desk) Receive(s Desk, m Letter) (Desk, []Letter) {
	if m.Body.Type != "Answer" {
		return s, nil
	}
	is := m.Body.Version
	right := s.P.Version == is
	s.Asking, s.Cached, s.Confirmed = false, is, append(s.Confirmed, is)
	var sent []Letter
	if right {
		for _, v := range s.Held {
			sent = append(sent, Letter{To: screen, Body: Note{"Print", v}})
		}
		s.P.Guessed, s.Q.Guessed = false, false
	} else {
		s.P = Reader{Version: is}
		if s.Q.Guessed {
			s.Q = Reader{}
		}
	}
	s.Held = nil
	return s, sent
}

// Label is what p and q have read, with ? for a guess.
func (desk) Label(s Desk) string { return s.P.label() + s.Q.label() + " " }

func (r Reader) label() string {
	switch {
	case r.Version == 0:
		return "-"
	case r.Guessed:
		return fmt.Sprintf("%d?", r.Version)
	}
	return fmt.Sprint(r.Version)
}

// Shown is the state of the screen: the versions that were printed.
type Shown []int

type wall struct{}

func (wall) Fresh(model.ID, []model.ID, int) (Shown, []Letter) { return nil, nil }
func (wall) Receive(s Shown, m Letter) (Shown, []Letter)       { return append(s, m.Body.Version), nil }

// Label is the versions.
func (wall) Label(s Shown) string { return fmt.Sprint([]int(s)) }

// notGuessed is that nothing is shown that was but a guess.
func notGuessed() model.Property {
	p := model.Always("nothing shown was but a guess", func(v model.View) error {
		confirmed := model.StateOf[Desk](v, machine).Confirmed
		for _, version := range model.StateOf[Shown](v, screen) {
			if !slices.Contains(confirmed, version) {
				return fmt.Errorf("the screen shows version %d, which the server never confirmed", version)
			}
		}
		return nil
	})
	p.Doc = "what is on the screen was confirmed by the server"
	return p
}

const docSpeculator = `Speculator: a client of a file server does not wait for the server to say that
its cached copy is still good. Process p guesses so and goes on; it tells
process q, and both print. When the answer comes, the guess was right and what
was held back is printed, or p, and all that depends on its guess, is rolled
back. Agent 1 is the client, agent 2 its screen, agent 3 the server, whose file
another client may change.

    - speculator-leak prints what was but guessed.
    - speculator-pipe has q read from p without depending on its guess: q is not
      rolled back, and what it prints is not held back.

Labels: the version that p and q have read, with ? for a guess and - for none;
the versions on the screen; the one on the server.`

func speculator(name, summary, hole string, g Guess) model.Algorithm {
	a := model.Algorithm{
		Name:    name,
		Summary: summary,
		Doc:     docSpeculator,
		Source:  `Nightingale et al., "Speculative Execution in a Distributed File System" (SOSP 2005), section 4`,
		Twins:   []string{"speculator"},
		Hole:    hole,
		Params: []model.Param{
			{Name: "opens", Doc: "times that p opens the file", Default: 2, Min: 1, Max: 3},
			{Name: "changes", Doc: "times that another client changes it", Default: 1, Min: 0, Max: 3},
		},
		Make: func(c model.Config) model.System {
			return model.System{
				Agents: []model.Node{model.Of(desk{g, c.Params["opens"]}), model.Of(wall{}), model.Of(fileServer{c.Params["changes"]})},
				Properties: []model.Property{
					notGuessed(),
					model.Sometimes("a guess of q was right, and shown", func(v model.View) bool {
						s := model.StateOf[Desk](v, machine)
						return s.Q.Printed && !s.Q.Guessed && slices.Contains(model.StateOf[Shown](v, screen), 1)
					}),
				},
			}
		},
	}
	if hole == "" {
		a.Twins = []string{"speculator-leak", "speculator-pipe"}
	}
	return a
}

func speculators() []model.Algorithm {
	return []model.Algorithm{
		speculator("speculator", "a client that goes on with a guess, and takes back what depends on a wrong one", "", Guess{Holds: true, Follow: true}),
		speculator("speculator-leak", "speculator that prints what it only guessed",
			"a guess is printed before the server has confirmed it", Guess{Follow: true}),
		speculator("speculator-pipe", "speculator whose second process does not depend on what it was told",
			"a process prints what another told it, who had guessed", Guess{Holds: true}),
	}
}
