package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/caulk-go/caulk/internal/call"
	"github.com/caulk-go/caulk/internal/machine"
	"github.com/caulk-go/caulk/model"
)

// The port of clients, by HTTP. Every answer is JSON; one that tells of an error is
// {"error": "..."}.
//
//	GET  /status                            Status
//	POST /propose {"value": V}              {} once that the agent was handed V is durable
//	POST /input   {"action": NAME}          {} once the own action, an input, is durable; 409 if it is not possible now
//	POST /put     {"key": K, "value": V}    {} once it is done
//	GET  /get?key=K                         {"value": V}
//
// A put or get may name its client and its number, {"client": 1, "number": 7} or
// ?client=1&number=7: then one that got no answer can be asked again, of any node,
// without being done twice. A client counts its requests up, and has one at a time.
// Without a name the node itself is the client. 504 says that no answer came in
// time: it may or may not have been, and may still be, done.
const (
	answerTimeout = 2 * time.Second
	mostBody      = 1 << 20
	mostUnnamed   = 256 // requests without a client that are under way
	mostClients   = 1 << 20
)

// clientPort serves clients.
type clientPort struct {
	n       *Node
	server  *http.Server
	serving sync.WaitGroup

	mu      sync.Mutex
	waiting map[model.ID]*asking
	slots   []model.ID // of clients that the node itself is, free
	last    int        // the number of the last request of those, in this incarnation
}

// asking is a client that waits.
type asking struct {
	number int
	answer chan model.Answer // has room for one
}

// newClientPort serves until it is closed.
func newClientPort(n *Node, l net.Listener) *clientPort {
	p := &clientPort{n: n, waiting: map[model.ID]*asking{}}
	population := len(n.c.System.Agents)
	for i := range mostUnnamed {
		p.slots = append(p.slots, model.ID(population+mostClients*int(n.c.Self)+i+1))
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /status", p.status)
	mux.HandleFunc("POST /propose", p.propose)
	mux.HandleFunc("POST /input", p.input)
	mux.HandleFunc("POST /put", p.put)
	mux.HandleFunc("GET /get", p.get)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, http.StatusNotFound, fmt.Errorf("there is no %s %.100q: there are GET /status, POST /propose, POST /input, POST /put, and GET /get", r.Method, r.URL.Path))
	})
	p.server = &http.Server{
		Handler: own(mux, l.Addr()), ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second,
		WriteTimeout: answerTimeout + 10*time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 1 << 14,
	}
	p.serving.Go(func() {
		if err := p.server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			n.log.say("the port of clients is closed: %v", err)
		}
	})
	return p
}

// own refuses pages of other sites, which a browser on this machine may have open;
// also those whose name was made to lead here.
func own(next http.Handler, at net.Addr) http.Handler {
	tcp, _ := at.(*net.TCPAddr)
	private := tcp != nil && tcp.IP.IsLoopback()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host, _, err := net.SplitHostPort(r.Host)
		if err != nil {
			host = r.Host
		}
		if r.Header.Get("Origin") != "" || private && host != "localhost" && net.ParseIP(host) == nil {
			fail(w, http.StatusForbidden, errors.New("requests of web pages are refused: ask at 127.0.0.1, and not from a browser's page"))
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, mostBody)
		next.ServeHTTP(w, r)
	})
}

func (p *clientPort) close() {
	grace, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if p.server.Shutdown(grace) != nil {
		p.server.Close()
	}
	p.serving.Wait()
}

// reply writes an answer.
func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // whoever asked is gone if it fails
}

func fail(w http.ResponseWriter, status int, err error) {
	reply(w, status, map[string]string{"error": err.Error()})
}

// body reads a request's JSON; ok is false if that was refused.
func body(w http.ResponseWriter, r *http.Request, v any) (ok bool) {
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(v)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		fail(w, http.StatusRequestEntityTooLarge, fmt.Errorf("the body is larger than %d bytes", large.Limit))
	case err != nil:
		fail(w, http.StatusBadRequest, fmt.Errorf("the body is not what it should be: %w", err))
	}
	return err == nil
}

var (
	errBusy    = errors.New("too many requests wait: try again later")
	errStopped = errors.New("the node is stopping")
)

// do has the loop serve a request, and waits until what it did is durable; ok is
// false if the client was told otherwise.
func (p *clientPort) do(w http.ResponseWriter, r request) (o outcome, ok bool) {
	done := make(chan outcome, 1)
	r.done = done
	if !p.n.inbox.ask(r) {
		fail(w, http.StatusServiceUnavailable, errBusy)
		return o, false
	}
	timer := time.NewTimer(answerTimeout)
	defer timer.Stop()
	select {
	case o = <-done:
		return o, true
	case <-p.n.stopping.Done():
		fail(w, http.StatusServiceUnavailable, errStopped)
	case <-timer.C:
		fail(w, http.StatusGatewayTimeout, fmt.Errorf("not durable after %s", answerTimeout))
	}
	return o, false
}

func (p *clientPort) status(w http.ResponseWriter, _ *http.Request) {
	if o, ok := p.do(w, request{status: true}); ok {
		reply(w, http.StatusOK, o.status)
	}
}

func (p *clientPort) propose(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Value *string `json:"value"`
	}
	switch {
	case !p.n.node.CanStart():
		fail(w, http.StatusNotFound, fmt.Errorf("agent %d of %s takes no values", p.n.c.Self, p.n.c.System.Name))
	case !body(w, r, &in):
	case in.Value == nil:
		fail(w, http.StatusBadRequest, errors.New(`a proposal has a "value"`))
	default:
		if _, ok := p.do(w, request{start: in.Value}); ok {
			reply(w, http.StatusOK, struct{}{})
		}
	}
}

func (p *clientPort) input(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Action string `json:"action"`
	}
	if !body(w, r, &in) {
		return
	}
	for _, a := range p.n.node.Actions() {
		if a.Name != in.Action || a.Kind != model.Input {
			continue
		}
		o, ok := p.do(w, request{action: in.Action})
		switch {
		case !ok:
		case o.disabled:
			fail(w, http.StatusConflict, fmt.Errorf("%q is not possible now", in.Action))
		default:
			reply(w, http.StatusOK, struct{}{})
		}
		return
	}
	fail(w, http.StatusNotFound, fmt.Errorf("agent %d of %s has no input %.100q", p.n.c.Self, p.n.c.System.Name, in.Action))
}

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
