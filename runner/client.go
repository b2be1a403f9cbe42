package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/caulk-go/caulk/internal/hostname"
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
		if r.Header.Get("Origin") != "" || private && !hostname.Own(r.Host) {
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
