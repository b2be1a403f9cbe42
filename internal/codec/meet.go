package codec

import (
	"math/rand/v2"
	"slices"

	"github.com/caulk-go/caulk/model"
)

// How long a system is tried out: so many walks of so many moves each.
const (
	walks = 64
	moves = 256
)

// meetTypes makes the types known that turn up in states and messages on walks
// at random. What cannot be encoded, and what panics, ends a walk: it is for the
// explorer, and for the running agent, to report that.
func meetTypes(sys *model.System, c *Codecs) {
	starts := sys.AllStarts()
	for i := range walks {
		one := sys.At(i % len(starts))
		w := walk{
			sys:    &one,
			codecs: c,
			draw:   rand.New(rand.NewPCG(uint64(i), 0)),
			states: make([]any, len(sys.Agents)),
			lives:  make([]int, len(sys.Agents)),
		}
		w.run()
	}
}

// walk is one run of the system, as it might happen.
type walk struct {
	sys    *model.System
	codecs *Codecs
	draw   *rand.Rand

	states  []any // by agent
	lives   []int // how often each was wiped or restarted
	network []model.Message[any]
	asked   int // requests of clients
}

func (w *walk) run() {
	defer func() {
		_ = recover() // see meetTypes
	}()
	for i := range w.states {
		o := model.Begin(w.sys, model.ID(i+1))
		if !w.take(i, model.Result{State: o.Next.State, Sent: o.Sent}) {
			return
		}
	}
	for range moves {
		if !w.move() {
			return
		}
	}
}

// move makes one move, mostly a delivery; ok is false where something cannot be
// encoded.
func (w *walk) move() (ok bool) {
	i := w.draw.IntN(len(w.states))
	node := w.sys.Agents[i]
	switch lot := w.draw.IntN(20); {
	case lot == 0:
		return w.take(i, node.Fresh(model.ID(i+1), w.sys.Population(), w.nextLife(i)))
	case lot == 1 && node.Persists():
		return w.take(i, node.Restart(model.ID(i+1), w.sys.Population(), w.nextLife(i), w.states[i]))
	case lot == 2 && node.Serves():
		return w.ask(i)
	case lot == 3 && node.CanStart():
		return w.take(i, node.Start(w.states[i], "v"))
	case lot < 8 && len(node.Actions()) > 0:
		r, enabled := node.Actions()[w.draw.IntN(len(node.Actions()))].Do(w.states[i])
		return !enabled || w.take(i, r)
	case len(w.network) > 0:
		return w.deliver()
	}
	return true
}

func (w *walk) deliver() bool {
	k := w.draw.IntN(len(w.network))
	m := w.network[k]
	if w.sys.Network != model.Set {
		w.network = slices.Delete(w.network, k, k+1)
	}
	to := int(m.To) - 1
	node := w.sys.Agents[to]
	return node.Halted(w.states[to]) || w.take(to, node.Receive(w.states[to], m))
}

// ask is a client's request, from an ID outside the population.
func (w *walk) ask(i int) bool {
	w.asked++
	body := w.sys.Agents[i].Ask(model.Request{Number: w.asked, Put: w.draw.IntN(2) == 0, Key: "k", Value: "v"})
	from := model.ID(len(w.states) + 1 + w.draw.IntN(2))
	m := model.Message[any]{From: from, To: model.ID(i + 1), Body: body}
	return w.met(m.Body) && w.take(i, w.sys.Agents[i].Receive(w.states[i], m))
}

func (w *walk) nextLife(i int) int {
	if !w.sys.Agents[i].Incarnated() {
		return 0
	}
	w.lives[i]++
	return w.lives[i]
}

// take puts what a handler gave into the world, and decodes it as a private
// copy: no handler is given what another holds.
func (w *walk) take(i int, r model.Result) bool {
	codec := w.codecs.States[i]
	b, err := codec.Append(nil, r.State)
	if err != nil {
		return false
	}
	if w.states[i], err = codec.Decode(b); err != nil {
		return false
	}
	for _, m := range r.Sent {
		if !w.met(m.Body) {
			return false
		}
		if m.To >= 1 && int(m.To) <= len(w.states) {
			m.From = model.ID(i + 1)
			w.network = append(w.network, m)
		}
	}
	return true
}

// met makes the types in a body known.
func (w *walk) met(body any) bool {
	_, err := w.codecs.Body.Append(nil, body)
	return err == nil
}
