package call_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/model"
)

// disk is what a book keeps: all but its draft survives a restart.
type disk struct {
	Saved, Draft string
}

// book is an agent that can do and suffer everything.
type book struct{ agent[disk, note] }

func newBook() book {
	return book{agent[disk, note]{
		fresh: func(_ model.ID, _ []model.ID, incarnation int) (disk, sent) {
			return disk{"fresh", fmt.Sprint(incarnation)}, sent{{To: 2, Body: note{Text: "hello"}}}
		},
		start: func(s disk, value string) (disk, sent) {
			s.Draft = value
			return s, sent{{To: 1, Body: note{Text: value}}}
		},
		receive: func(s disk, m model.Message[note]) (disk, sent) { s.Draft = m.Body.Text; return s, nil },
		actions: []model.Action[disk, note]{
			{Name: "save", Fair: true, Do: func(s disk) (disk, sent, bool) { s.Saved = s.Draft; return s, nil, true }},
			{Name: "tick", Kind: model.Timer, Do: func(s disk) (disk, sent, bool) { return s, nil, true }},
			{Name: "ask", Kind: model.Input, Do: func(s disk) (disk, sent, bool) { return s, nil, true }},
		},
	}}
}

func (book) AsksIncarnation() {}

func (book) Persist(s disk) disk {
	if s.Draft == "unprintable" {
		panic("disk full")
	}
	return disk{Saved: s.Saved}
}

func (book) Restart(_ model.ID, _ []model.ID, incarnation int, kept disk) (disk, sent) {
	kept.Saved += fmt.Sprint(" once more ", incarnation)
	return kept, sent{{To: 1, Body: note{Text: "back"}}}
}

func books(t *testing.T) *call.Caller {
	node := model.Of(newBook())
	everybody := []model.ID{1, 2}
	return caller(t, model.System{
		Agents: []model.Node{node, node}, Lossy: true,
		Starts:      map[model.ID]string{1: "x"},
		OtherStarts: []map[model.ID]string{nil, {1: "y", 2: "z"}},
		Wipe:        everybody, Restart: everybody, Crash: everybody,
		Budgets: map[model.Budget]int{model.Duplicates: 1},
	}, 0)
}

func outcome(c *call.Caller, id model.ID, o call.Outcome) string {
	l := c.Local(id, o.Next)
	text := fmt.Sprintf("%s: %+v %d", o.Move.Name(), l.State, l.Incarnation)
	if l.Crashed {
		text += " crashed"
	}
	for _, m := range o.Sent {
		text += fmt.Sprintf(", %d->%d %s", m.From, m.To, c.Body(m.Body).(note).Text)
	}
	if o.Spends != model.NoBudget {
		text += ", of the " + o.Spends.String()
	}
	if o.Fair {
		text += ", fair"
	}
	return text
}

// Every kind of move has what the table of moves says, before and after the
// agent crashes.
func TestOutcomesOfEveryKind(t *testing.T) {
	c := books(t)
	alive := begin(t, c)
	crashed, err := c.Outcomes(model.Crash, 1, alive.Next, nil)
	if err != nil || len(crashed) != 1 {
		t.Fatalf("a crash has %d outcomes, %v", len(crashed), err)
	}
	for _, w := range []struct {
		kind        model.MoveKind
		alive, dead []string
	}{
		{model.Deliver, []string{"deliver: {Saved:fresh Draft:hello} 0"}, nil},
		{model.Act, []string{"save: {Saved:x Draft:x} 0, fair", "tick: {Saved:fresh Draft:x} 0, of the timeouts", "ask: {Saved:fresh Draft:x} 0"}, nil},
		{model.Wipe, []string{"wipe: {Saved:fresh Draft:1} 1, 1->2 hello, of the wipes"}, nil},
		{model.Restart, []string{"restart: {Saved:fresh once more 1 Draft:} 1, 1->1 back, of the restarts"}, nil},
		{model.Crash, []string{"crash: {Saved:fresh Draft:x} 0 crashed, of the crashes"}, nil},
		{model.Drop, []string{"drop: {Saved:fresh Draft:x} 0, of the drops"}, []string{"drop: {Saved:fresh Draft:x} 0 crashed, of the drops"}},
		{model.Duplicate, []string{"duplicate: {Saved:fresh Draft:x} 0, of the duplicates"}, []string{"duplicate: {Saved:fresh Draft:x} 0 crashed, of the duplicates"}},
		{model.Beginning, nil, nil},
	} {
		var m *call.Envelope
		if w.kind.OfMessage() {
			m = &call.Envelope{From: 2, To: 1, Body: alive.Sent[0].Body}
		}
		for _, at := range []struct {
			local string
			want  []string
		}{{alive.Next, w.alive}, {crashed[0].Next, w.dead}} {
			outcomes, err := c.Outcomes(w.kind, 1, at.local, m)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, o := range outcomes {
				got = append(got, outcome(c, 1, o))
			}
			if fmt.Sprint(got) != fmt.Sprint(at.want) {
				t.Errorf("%s:\n%s\nwant\n%s", w.kind, strings.Join(got, "\n"), strings.Join(at.want, "\n"))
			}
		}
	}
}

func TestTraitsOfACrashedAgent(t *testing.T) {
	c := books(t)
	o, err := c.Outcomes(model.Crash, 1, begin(t, c).Next, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.Traits(1, o[0].Next)
	if want := (call.Traits{Label: "L!", Named: true, Crashed: true}); got != want || err != nil {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	if !c.Same(1, o[0].Next, c.Local(1, o[0].Next).State) {
		t.Error("the state of a crashed agent is not what it is")
	}
}

func TestBeginInEachStart(t *testing.T) {
	c := books(t)
	for start, want := range []string{
		"x, 1->2 hello, 1->1 x; 0, 2->2 hello; ",
		"0, 1->2 hello; 0, 2->2 hello; ",
		"y, 1->2 hello, 1->1 y; z, 2->2 hello, 2->1 z; ",
	} {
		got := ""
		for _, id := range []model.ID{1, 2} {
			o, err := c.Begin(start, id)
			if err != nil {
				t.Fatal(err)
			}
			got += c.Local(id, o.Next).State.(disk).Draft
			for _, m := range o.Sent {
				got += fmt.Sprintf(", %d->%d %s", m.From, m.To, c.Body(m.Body).(note).Text)
			}
			got += "; "
		}
		if got != want {
			t.Errorf("start %d: %s\nwant %s", start, got, want)
		}
	}
}

func TestPersistThatPanics(t *testing.T) {
	node := model.Of(newBook())
	c := caller(t, model.System{Agents: []model.Node{node, node}, Restart: []model.ID{1}, Starts: map[model.ID]string{1: "unprintable"}}, 0)
	_, err := c.Outcomes(model.Restart, 1, begin(t, c).Next, nil)
	first, _, _ := strings.Cut(fmt.Sprint(err), "\n")
	if want := `Persist or Restart of agent 1 in state disk{Saved: "fresh", Draft: "unprintable"} panics: disk full`; !is[*call.PanicError](err) || first != want {
		t.Errorf("the error is\n%s\nwant\n%s", first, want)
	}
}
