// Package lww is a replicated register in which the last writer wins: Robert
// Thomas, "A Majority Consensus Approach to Concurrency Control for Multiple Copy
// Databases", ACM TODS 4 (1979), has the rule; Kyle Kingsbury, "The trouble with
// timestamps" (aphyr.com, 2013), what clocks that disagree make of it.
package lww

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// Algorithms lists the register, and its broken twin after it.
func Algorithms() []model.Algorithm {
	return []model.Algorithm{
		{
			Name:    "lww",
			Summary: "a replicated register in which the last writer wins, by logical clocks",
			Doc:     doc,
			Source:  `Thomas, "A Majority Consensus Approach to Concurrency Control for Multiple Copy Databases" (1979); Lamport's clocks (1978)`,
			Twins:   []string{"lww-skew"},
			Params:  []model.Param{replicas, writes},
			Make:    register{}.system,
		},
		{
			Name:    "lww-skew",
			Summary: "a replicated register in which the last writer wins, by clocks that disagree",
			Doc:     skewDoc,
			Source:  `Kingsbury, "The trouble with timestamps" (2013)`,
			Twins:   []string{"lww"},
			Hole:    "a replica's clock is behind: a write is acknowledged, and an older one wins",
			Params:  []model.Param{replicas, writes, {Name: "skew", Doc: "how far the first replica's clock is ahead, in writes", Default: 2, Min: 0, Max: 9}},
			Make:    register{physical: true}.system,
		},
	}
}

var (
	replicas = model.Param{Name: "replicas", Doc: "replicas; the client comes after them", Default: 2, Min: 2, Max: 9}
	writes   = model.Param{Name: "writes", Doc: "how often the client writes", Default: 3, Min: 1, Max: 9}
)

const doc = `A replicated register in which the last writer wins. A client writes 1, 2 and so
on, each at a replica of its choice, when the write before was acknowledged. The
replica stamps the write by its clock, and tells the others; everybody keeps
what has the latest stamp.

Clocks are logical: a stamp is later than all that the replica has seen, and
than the client's last write, whose stamp came with the acknowledgement. So what
is written later has a later stamp, wherever.

Labels: a replica's write and its stamp; the client's last write, with a ' until
it is acknowledged.`

const skewDoc = `A replicated register in which the last writer wins, stamped by physical clocks:
the time is the number of the write, and the first replica is ahead by --param
skew=2. A write there, then one at another replica, which has seen the first by
then: the second is acknowledged, and lost. That is three steps and a read where
a write is one step; here its message, and those that tell the others, are
moves.

With --param skew=0 it holds, and with two replicas with skew=1: the stamps are
equal then, and the second replica wins by its number.`

// Message is a message between the client and a replica, or two replicas.
type Message = model.Message[Body]

// Body is what a message says.
type Body interface{ model.Detailer }

// The messages. Writes are numbered, and the number is the value, too.
type (
	// Write asks to write; the client's last write was stamped Seen.
	Write struct {
		N    int
		Seen Stamp
	}

	// Written acknowledges a write, with its stamp.
	Written struct {
		N     int
		Stamp Stamp
	}

	// Replicate tells another replica.
	Replicate struct {
		N     int
		Stamp Stamp
	}
)

// Detail is the write: w=1.
func (m Write) Detail() string { return fmt.Sprintf("w=%d", m.N) }

// Detail is the write: w=1.
func (m Written) Detail() string { return fmt.Sprintf("w=%d", m.N) }

// Detail is the write: w=1.
func (m Replicate) Detail() string { return fmt.Sprintf("w=%d", m.N) }

// Stamp orders writes: by time, then by replica. The zero stamp is before all.
type Stamp struct {
	Time int
	By   model.ID
}

func (s Stamp) compare(t Stamp) int {
	return cmp.Or(cmp.Compare(s.Time, t.Time), cmp.Compare(s.By, t.By))
}

// Replica is the state of a replica.
type Replica struct {
	Self         model.ID
	Value        int // the write that it holds; 0: none
	Stamp        Stamp
	Acknowledged int // the latest write that it has acknowledged
}

// register is what is known to all.
type register struct {
	replicas, writes, skew int
	physical               bool // the hole
}

type replica struct{ register }

func (replica) Fresh(self model.ID, _ []model.ID, _ int) (Replica, []Message) {
	return Replica{Self: self}, nil
}

func (r replica) Receive(s Replica, m Message) (Replica, []Message) {
	switch b := m.Body.(type) {
	case Write:
		if b.N <= s.Acknowledged {
			return s, nil // it came before
		}
		stamp := Stamp{r.now(s, b), s.Self}
		s = s.keep(b.N, stamp)
		s.Acknowledged = b.N
		sent := []Message{{To: m.From, Body: Written{b.N, stamp}}}
		for id := model.ID(1); int(id) <= r.replicas; id++ {
			if id != s.Self {
				sent = append(sent, Message{To: id, Body: Replicate{b.N, stamp}})
			}
		}
		return s, sent
	case Replicate:
		return s.keep(b.N, b.Stamp), nil
	}
	return s, nil
}

// now is what the replica's clock says at a write.
func (r replica) now(s Replica, w Write) int {
	switch {
	case !r.physical:
		return max(s.Stamp.Time, w.Seen.Time) + 1
	case s.Self == 1:
		return w.N + r.skew
	}
	return w.N
}

// keep keeps what has the later stamp.
func (s Replica) keep(n int, stamp Stamp) Replica {
	if stamp.compare(s.Stamp) > 0 {
		s.Value, s.Stamp = n, stamp
	}
	return s
}

// Label is the write that the replica holds, and its stamp.
func (replica) Label(s Replica) string {
	return fmt.Sprintf("%d@%d.%d ", s.Value, s.Stamp.Time, s.Stamp.By)
}

// Client is the state of the client.
type Client struct {
	Written int // its last write
	Waits   bool
	Seen    Stamp // of the last write that was acknowledged
}

type client struct{ register }

func (client) Fresh(model.ID, []model.ID, int) (Client, []Message) { return Client{}, nil }

// Actions: the client writes at any replica.
func (c client) Actions() []model.Action[Client, Body] {
	var actions []model.Action[Client, Body]
	for id := model.ID(1); int(id) <= c.replicas; id++ {
		actions = append(actions, model.Action[Client, Body]{Name: fmt.Sprintf("write at %d", id), Kind: model.Input, Do: func(s Client) (Client, []Message, bool) {
			enabled := !s.Waits && s.Written < c.writes
			s.Written++
			s.Waits = true
			return s, []Message{{To: id, Body: Write{s.Written, s.Seen}}}, enabled
		}})
	}
	return actions
}

// Receive takes note that a write is acknowledged.
func (client) Receive(s Client, m Message) (Client, []Message) {
	if b, ok := m.Body.(Written); ok && s.Waits && b.N == s.Written {
		s.Waits, s.Seen = false, b.Stamp
	}
	return s, nil
}

// Label is the last write, with a ' until it is acknowledged.
func (client) Label(s Client) string {
	if s.Waits {
		return fmt.Sprintf("%d'", s.Written)
	}
	return fmt.Sprint(s.Written)
}

func (r register) system(c model.Config) model.System {
	r.replicas, r.writes, r.skew = c.Params["replicas"], c.Params["writes"], c.Params["skew"]
	s := model.System{
		Agents:     append(slices.Repeat([]model.Node{model.Of(replica{r})}, r.replicas), model.Of(client{r})),
		Properties: []model.Property{kept(), r.lastWins()},
		Bodies:     []any{Write{}, Written{}, Replicate{}},
	}
	if r.writes > 1 {
		s.Properties = append(s.Properties, model.Sometimes("a late write is overruled", func(v model.View) bool {
			for _, m := range model.InFlightOf[Body](v) {
				if b, ok := m.Body.(Replicate); ok && model.StateOf[Replica](v, m.To).Value > b.N {
					return true
				}
			}
			return false
		}))
	}
	return s
}

// kept says that what a replica acknowledged is not overruled by what was
// written before.
func kept() model.Property {
	p := model.Always("no acknowledged write is lost", func(v model.View) error {
		for id, s := range model.StatesOf[Replica](v) {
			if s.Value < s.Acknowledged {
				return fmt.Errorf("replica %d has acknowledged write %d and holds write %d, which was before it", id, s.Acknowledged, s.Value)
			}
		}
		return nil
	})
	p.Doc = "a replica holds what it has acknowledged last, or what was written later"
	return p
}

// lastWins says what all replicas come to hold.
func (r register) lastWins() model.Property {
	p := model.AtEnd("the last write wins", func(v model.View) error {
		last := model.StateOf[Client](v, model.ID(r.replicas+1)).Written
		for id, s := range model.StatesOf[Replica](v) {
			if s.Value != last {
				return fmt.Errorf("replica %d ends with write %d, and the last was write %d", id, s.Value, last)
			}
		}
		return nil
	})
	p.Doc = "in the end every replica holds what was written last"
	return p
}
