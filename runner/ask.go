package runner

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/internal/machine"
	"github.com/caulk-go/caulk/model"
)

// named is a request of a client that may have a name.
type named struct {
	Client int    `json:"client"` // 0: none
	Number int    `json:"number"`
	Key    string `json:"key"`
	Value  string `json:"value"`
}

func (p *clientPort) put(w http.ResponseWriter, r *http.Request) {
	var in named
	if body(w, r, &in) {
		if _, ok := p.ask(w, r, in, true); ok {
			reply(w, http.StatusOK, struct{}{})
		}
	}
}

func (p *clientPort) get(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	in := named{Key: query.Get("key")}
	for _, n := range []struct {
		name string
		into *int
	}{{"client", &in.Client}, {"number", &in.Number}} {
		if text := query.Get(n.name); text != "" {
			v, err := strconv.Atoi(text)
			if err != nil {
				fail(w, http.StatusBadRequest, fmt.Errorf("%s=%.100q is no number", n.name, text))
				return
			}
			*n.into = v
		}
	}
	if a, ok := p.ask(w, r, in, false); ok {
		reply(w, http.StatusOK, map[string]string{"value": a.Value})
	}
}

// ask asks the agent on a client's behalf, and waits for the answer; ok is false if
// the client was told otherwise.
func (p *clientPort) ask(w http.ResponseWriter, r *http.Request, in named, put bool) (answer model.Answer, ok bool) {
	if !p.n.node.Serves() {
		fail(w, http.StatusNotFound, fmt.Errorf("agent %d of %s serves no clients", p.n.c.Self, p.n.c.System.Name))
		return answer, false
	}
	if in.Client < 0 || in.Client >= mostClients || in.Number < 0 || in.Number > math.MaxInt32 || (in.Client > 0) != (in.Number > 0) {
		fail(w, http.StatusBadRequest, fmt.Errorf("a client is 1 to %d, and has its requests numbered from 1; or both are left out", mostClients-1))
		return answer, false
	}
	id, a, err := p.enter(in)
	if err != nil {
		fail(w, http.StatusServiceUnavailable, err)
		return answer, false
	}
	defer p.leave(id, a, in.Client == 0)
	text, err := p.encode(model.Request{Number: a.number, Put: put, Key: in.Key, Value: in.Value})
	if err != nil {
		fail(w, http.StatusInternalServerError, err)
		return answer, false
	}
	if !p.n.inbox.ask(request{ask: &message{id, text}, done: make(chan outcome, 1)}) {
		fail(w, http.StatusServiceUnavailable, errBusy)
		return answer, false
	}
	timer := time.NewTimer(answerTimeout)
	defer timer.Stop()
	select {
	case answer, ok = <-a.answer:
		if ok {
			return answer, true
		}
		fail(w, http.StatusConflict, errors.New("the client has asked something else meanwhile"))
	case <-p.n.stopping.Done():
		fail(w, http.StatusServiceUnavailable, errStopped)
	case <-r.Context().Done():
	case <-timer.C:
		fail(w, http.StatusGatewayTimeout, fmt.Errorf("no answer after %s: it may or may not have been done", answerTimeout))
	}
	return answer, false
}

// enter has a client wait. Whatever it waited for before is over.
func (p *clientPort) enter(in named) (model.ID, *asking, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := &asking{number: in.Number, answer: make(chan model.Answer, 1)}
	id := model.ID(len(p.n.c.System.Agents) + in.Client)
	if in.Client == 0 {
		if len(p.slots) == 0 {
			return 0, nil, errBusy
		}
		id, p.slots = p.slots[0], p.slots[1:]
		p.last++
		a.number = p.n.incarnation<<32 + p.last // above all of the incarnations before
	}
	if old := p.waiting[id]; old != nil {
		close(old.answer)
	}
	p.waiting[id] = a
	return id, a, nil
}

func (p *clientPort) leave(id model.ID, a *asking, slot bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.waiting[id] == a {
		delete(p.waiting, id)
	}
	if slot {
		p.slots = append(p.slots, id)
	}
}

// encode has the agent say what the request's message is.
func (p *clientPort) encode(r model.Request) (text []byte, err error) {
	var body any
	if err := call.Guard(call.Site{Agent: p.n.c.Self, What: "Ask"}, machine.Limit, func() { body = p.n.node.Ask(r) }); err != nil {
		return nil, err
	}
	return p.n.machine.Codecs.Body.Append(nil, body)
}

// answer tells a client what the agent sent it, if it still waits for that.
func (p *clientPort) answer(to model.ID, text []byte) {
	if !p.n.node.Serves() {
		return
	}
	body, err := p.n.machine.Codecs.Body.Decode(text)
	if err != nil {
		return // the loop has just encoded it
	}
	var answer model.Answer
	answers := false
	if err := call.Guard(call.Site{Agent: p.n.c.Self, What: "Answer"}, machine.Limit, func() { answer, answers = p.n.node.Answer(body) }); err != nil {
		p.n.log.once("%v", err)
		return
	}
	if !answers {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if a := p.waiting[to]; a != nil && a.number == answer.Number {
		a.answer <- answer // there is room: it is deleted at once
		delete(p.waiting, to)
	}
}
