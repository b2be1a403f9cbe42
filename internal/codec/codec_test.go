package codec_test

import (
	"fmt"
	"testing"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/internal/canonical"
	"github.com/caulk-go/caulk/internal/codec"
	"github.com/caulk-go/caulk/model"
)

func codecs(t *testing.T, a model.Algorithm) (*codec.Codecs, model.System) {
	t.Helper()
	sys, err := a.System(model.Config{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := codec.New(&sys)
	if err != nil {
		t.Fatal(err)
	}
	return c, sys
}

// Two processes that were built alike agree, and those of different algorithms
// do not.
func TestFingerprintsTellTypesApart(t *testing.T) {
	seen := map[string]string{}
	for _, a := range algos.All() {
		c, _ := codecs(t, a)
		again, _ := codecs(t, a)
		if c.Messages != again.Messages || c.StateTypes[0] != again.StateTypes[0] {
			t.Errorf("%s has other fingerprints the second time", a.Name)
		}
		seen[c.Messages] = a.Name
	}
	if len(seen) < 3 {
		t.Errorf("the Paxos marks, two-phase commit and the register have %d fingerprints of messages", len(seen))
	}
}

// What one process encodes another decodes that has never met it.
func TestBytesOfAnotherProcess(t *testing.T) {
	for _, a := range algos.All() {
		c, sys := codecs(t, a)
		other, _ := codecs(t, a)
		for i := range sys.Agents {
			o := model.Begin(&sys, model.ID(i+1))
			b, err := c.States[i].Append(nil, o.Next.State)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := other.States[i].Decode(b); err != nil {
				t.Errorf("%s: the state of agent %d: %v", a.Name, i+1, err)
			}
			for _, m := range o.Sent {
				b, err := c.Body.Append(nil, m.Body)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := other.Body.Decode(b); err != nil {
					t.Errorf("%s: a message of agent %d: %v", a.Name, i+1, err)
				}
			}
		}
	}
}

// shy speaks of rare only after more messages than a walk has.
type shy struct{}

type rare struct{ N int }

func (shy) Fresh(model.ID, []model.ID, int) (int, []model.Message[any]) {
	return 0, []model.Message[any]{{To: 1, Body: "tick"}}
}

func (shy) Receive(s int, _ model.Message[any]) (int, []model.Message[any]) {
	if s > 10_000 {
		return s, []model.Message[any]{{To: 1, Body: rare{s}}}
	}
	return s + 1, []model.Message[any]{{To: 1, Body: "tick"}}
}

func TestValuesNameWhatIsRare(t *testing.T) {
	sys := model.System{Agents: []model.Node{model.Of(shy{})}}
	without, err := codec.New(&sys)
	if err != nil {
		t.Fatal(err)
	}
	sys.Values = []any{rare{}}
	with, err := codec.New(&sys)
	if err != nil {
		t.Fatal(err)
	}
	b, err := with.Body.Append(nil, rare{7})
	if err != nil {
		t.Fatal(err)
	}
	if v, err := without.Body.Decode(b); err == nil {
		t.Errorf("%v was decoded by who cannot know its type", v)
	}
	if with.Messages == without.Messages {
		t.Error("who knows more has the same fingerprint")
	}
	other, err := codec.New(&sys)
	if err != nil {
		t.Fatal(err)
	}
	if v, err := other.Body.Decode(b); err != nil || v != (rare{7}) {
		t.Errorf("decoded: %v, %v", v, err)
	}
}

// Whatever a search of an algorithm meets, its own competitors and all wipes
// included, another process decodes that has met none of it.
func TestWhatASearchMeetsIsKnown(t *testing.T) {
	for _, a := range algos.All() {
		c, sys := codecs(t, a)
		other, _ := codecs(t, a)
		starts := map[model.ID]string{}
		for i, n := range sys.Agents {
			if n.CanStart() {
				starts[model.ID(i+1)] = fmt.Sprint("v", i)
			}
		}
		sys.Starts, sys.OtherStarts = starts, nil
		sys.Wipe = sys.Population()
		unknown := map[string]bool{}
		again := func(enc, dec *canonical.Codec, v any) {
			b, err := enc.Append(nil, v)
			if err == nil {
				_, err = dec.Decode(b)
			}
			if err != nil {
				unknown[err.Error()] = true
			}
		}
		look := model.Always("known", func(v model.View) error {
			for i := range sys.Agents {
				again(c.States[i], other.States[i], v.State(model.ID(i+1)))
			}
			for _, m := range v.InFlight() {
				again(c.Body, other.Body, m.Body)
			}
			return nil
		})
		sys.Properties = []model.Property{look}
		if _, err := explorer.Explore(t.Context(), sys, explorer.Options{MaxStates: 2000, Workers: 1}); err != nil {
			t.Errorf("%s: %v", a.Name, err)
		}
		for text := range unknown {
			t.Errorf("%s: %s", a.Name, text)
		}
	}
}
