package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/runner"
)

// load is the clients' work, and what they saw.
type load struct {
	c      *cluster
	kind   kind
	ids    []model.ID          // of those that can be asked
	inputs map[model.ID]string // what they are asked, where that is an own action
	http   http.Client
	began  time.Time
	all    sync.WaitGroup

	mu         sync.Mutex
	operations []porcupine.Operation
	latencies  []time.Duration
	asked      int
	answered   int
}

// keys is how many keys the clients share.
const keys = 4

// mostlyReads is that every other client puts one thing in so many requests, and
// reads else: so it is long with one node, that others may have left.
const mostlyReads = 200

// pause is how long a client waits after a request that failed.
const pause = 20 * time.Millisecond

// patience is how long a client waits for an answer: a node gives up a little
// earlier.
const patience = 2500 * time.Millisecond

func newLoad(c *cluster) *load {
	l := &load{c: c, inputs: map[model.ID]string{}, http: http.Client{Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: 256}}}
	l.kind = kindOf(&c.o.System)
	for _, id := range c.o.System.Population() {
		if n := c.o.System.Node(id); asked[l.kind](n) {
			l.ids = append(l.ids, id)
			l.inputs[id] = inputOf(n)
		}
	}
	return l
}

// kind is what clients ask of a system: the first that some agent can do.
type kind int

const (
	serves   kind = iota // puts and gets
	proposes             // values
	acts                 // an own action that is an input
	nothing
)

// asked says whether an agent can be asked each kind of thing.
var asked = [...]func(model.Node) bool{
	serves:   model.Node.Serves,
	proposes: model.Node.CanStart,
	acts:     func(n model.Node) bool { return inputOf(n) != "" },
	nothing:  func(model.Node) bool { return false },
}

func kindOf(sys *model.System) kind {
	for k := serves; k < nothing; k++ {
		if slices.ContainsFunc(sys.Agents, asked[k]) {
			return k
		}
	}
	return nothing
}

// inputOf is the first own action of an agent that is an input; empty for none.
func inputOf(n model.Node) string {
	for _, a := range n.Actions() {
		if a.Kind == model.Input {
			return a.Name
		}
	}
	return ""
}

// Works says whether clients can ask anything of a system.
func Works(sys *model.System) bool { return kindOf(sys) != nothing }

func (l *load) start(ctx context.Context) {
	l.began = time.Now()
	if len(l.ids) == 0 {
		return
	}
	for client := 1; client <= l.c.o.Clients; client++ {
		l.all.Go(func() { l.client(ctx, client) })
	}
}

func (l *load) wait() {
	l.all.Wait()
	l.http.CloseIdleConnections()
}

// client asks one thing after another: of the node that answered last, or else the
// next; each begins with another. What gets no answer is asked again, under its
// number. What is no request to a store goes to all nodes in turn, since proposers
// that compete are what there is to try.
func (l *load) client(ctx context.Context, client int) {
	draw := rand.New(rand.NewPCG(l.c.o.Faults.Seed, uint64(client)))
	at := (client - 1) % len(l.ids)
	rarely := 2 // one in so many is a put
	if client%2 == 0 {
		rarely = mostlyReads
	}
	for number := 1; ctx.Err() == nil; number++ {
		what := call{draw.IntN(rarely) == 0, fmt.Sprintf("k%d", draw.IntN(keys)), fmt.Sprintf("%d.%d", client, number)}
		called := time.Since(l.began)
		l.note(func() { l.asked++ })
		for {
			value, ok := l.ask(ctx, l.ids[at], client, number, what)
			if ok {
				l.done(client, what, value, called, time.Since(l.began))
				break
			}
			if ctx.Err() != nil {
				l.lost(client, what, called)
				return
			}
			at = (at + 1) % len(l.ids)
			sleep(ctx, pause)
		}
		if l.kind != serves {
			at = (at + 1) % len(l.ids)
			sleep(ctx, 5*pause) // few proposals are ever taken
		}
	}
}

func sleep(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

func (l *load) note(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f()
}

func (l *load) done(client int, what call, value string, from, to time.Duration) {
	l.note(func() {
		l.answered++
		l.latencies = append(l.latencies, to-from)
		if l.kind == serves {
			l.operations = append(l.operations, porcupine.Operation{ClientId: client - 1, Input: what, Output: value, Call: int64(from), Return: int64(to)})
		}
	})
}

// lost is a request of which nobody knows whether it was done. A get tells nothing.
func (l *load) lost(client int, what call, from time.Duration) {
	if what.put && l.kind == serves {
		l.note(func() {
			l.operations = append(l.operations, porcupine.Operation{ClientId: client - 1, Input: what, Output: "", Call: int64(from), Return: never})
		})
	}
}

// ask makes one attempt; a node that is dead refuses at once.
func (l *load) ask(ctx context.Context, id model.ID, client, number int, what call) (value string, ok bool) {
	if !l.c.nodes[id].up.Load() {
		return "", false
	}
	base := "http://" + l.c.nodes[id].clients
	var r *http.Request
	var err error
	switch {
	case l.kind == proposes:
		r, err = post(ctx, base+"/propose", map[string]any{"value": what.value})
	case l.kind == acts:
		r, err = post(ctx, base+"/input", map[string]any{"action": l.inputs[id]})
	case what.put:
		r, err = post(ctx, base+"/put", map[string]any{"client": client, "number": number, "key": what.key, "value": what.value})
	default:
		r, err = http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/get?client=%d&number=%d&key=%s", base, client, number, url.QueryEscape(what.key)), nil)
	}
	if err != nil {
		return "", false
	}
	var answer struct {
		Value string `json:"value"`
	}
	ok = do(&l.http, r, &answer)
	return answer.Value, ok
}

func post(ctx context.Context, url string, v any) (*http.Request, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(text))
}

// do sends a request; ok says whether it was granted.
func do(client *http.Client, r *http.Request, answer any) (ok bool) {
	response, err := client.Do(r)
	if err != nil {
		return false
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 64<<20))
	return err == nil && response.StatusCode == http.StatusOK && json.Unmarshal(text, answer) == nil
}

// status asks a node for its status; ok is false if it does not answer in a second.
func (n *node) status() (s runner.Status, ok bool) {
	client := http.Client{Timeout: time.Second}
	defer client.CloseIdleConnections()
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "http://"+n.clients+"/status", nil)
	return s, err == nil && do(&client, r, &s)
}

// ask asks a node what it has counted.
func (c *cluster) ask(n *node) {
	s, ok := n.status()
	if !ok {
		return
	}
	c.commits += s.Commits
	for name, count := range map[string]int{"drop": s.Injected.Dropped, "duplicate": s.Injected.Duplicated, "delay": s.Injected.Delayed, "partition": s.Injected.Partitioned} { //tidy:unordered sums
		if count > 0 {
			c.injected[name] += count
		}
	}
}

// gather asks all nodes that are alive.
func (c *cluster) gather() {
	for _, id := range c.o.System.Population() {
		if n := c.nodes[id]; n.alive() {
			c.ask(n)
		}
	}
}
