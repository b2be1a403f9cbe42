package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/validate"
)

// till adds up coins, on its disk. A client, or an input, puts one in; each is
// passed on to the next till once, as a step of its own. Two coins are bad: one
// that it panics at, and one at which it declares itself lost.
type till struct{}

const (
	slug = coin(13) // it panics
	lost = coin(99) // it halts
)

type drawer struct {
	Self, Next model.ID
	Total      int
	Passing    []coin // not on disk
	Lost       bool   // not on disk
}

type coin int

func (till) Fresh(self model.ID, population []model.ID, _ int) (drawer, []model.Message[coin]) {
	return drawer{Self: self, Next: self%model.ID(len(population)) + 1}, nil
}

func (till) Start(d drawer, value string) (drawer, []model.Message[coin]) {
	d.Passing = append(d.Passing, coin(len(value)))
	return d, nil
}

func (till) Receive(d drawer, m model.Message[coin]) (drawer, []model.Message[coin]) {
	switch m.Body {
	case slug:
		panic("a slug")
	case lost:
		d.Lost = true
		return d, nil
	}
	d.Total += int(m.Body)
	if m.From > 3 { // a client, who is told the total
		return d, []model.Message[coin]{{To: m.From, Body: coin(d.Total)}}
	}
	return d, nil
}

func (till) Halted(d drawer) bool { return d.Lost }

func (till) Actions() []model.Action[drawer, coin] {
	return []model.Action[drawer, coin]{
		{Name: "drop in", Kind: model.Input, Do: func(d drawer) (drawer, []model.Message[coin], bool) {
			if d.Total >= 5000 {
				return d, nil, false
			}
			d.Total++
			d.Passing = append(d.Passing, 1)
			return d, nil, true
		}},
		{Name: "pass on", Kind: model.Step, Do: func(d drawer) (drawer, []model.Message[coin], bool) {
			if len(d.Passing) == 0 {
				return d, nil, false
			}
			sent := []model.Message[coin]{{To: d.Next, Body: d.Passing[0]}}
			d.Passing = slices.Clone(d.Passing[1:])
			return d, sent, true
		}},
		{Name: "clear", Kind: model.Timer, Do: func(d drawer) (drawer, []model.Message[coin], bool) {
			if d.Total < 4000 {
				return d, nil, false
			}
			d.Total = 0
			return d, nil, true
		}},
	}
}

func (till) Persist(d drawer) drawer { return drawer{Self: d.Self, Next: d.Next, Total: d.Total} }

func (till) Restart(_ model.ID, _ []model.ID, _ int, d drawer) (drawer, []model.Message[coin]) {
	return d, nil
}

// Ask and Answer make it a server: a put of anything drops in a coin.
func (till) Ask(model.Request) coin { return 1 }

func (till) Answer(total coin) (model.Answer, bool) {
	return model.Answer{Number: int(total), Value: "done"}, true
}

func (till) Label(d drawer) string { return fmt.Sprint(d.Total) }

func tills(t *testing.T) model.System {
	t.Helper()
	node := model.Of(till{})
	all := []model.ID{1, 2, 3}
	sys := model.System{Name: "till", Agents: []model.Node{node, node, node}, Wipe: all, Restart: all, Lossy: true}
	if err := sys.Check(); err != nil {
		t.Fatal(err)
	}
	return sys
}

// shop is one node of three; the others are the test.
type shop struct {
	*Node
	t       *testing.T
	sys     model.System
	dir     string
	at      string // where peers connect
	clients string

	mu   sync.Mutex
	said []string
}

func listener(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// openShop opens agent 1, without having it run: see serve.
func openShop(t *testing.T, change func(*Config)) *shop {
	t.Helper()
	s := &shop{t: t, sys: tills(t), dir: t.TempDir()}
	peers, clients := listener(t), listener(t)
	s.at, s.clients = peers.Addr().String(), "http://"+clients.Addr().String()
	c := Config{
		System: s.sys, Self: 1, Listener: peers, Clients: clients, Timer: 20 * time.Millisecond,
		Data: filepath.Join(s.dir, "data"), Trace: filepath.Join(s.dir, "trace"),
		Log: func(line string) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.said = append(s.said, line)
		},
	}
	if change != nil {
		change(&c)
	}
	n, err := open(c)
	if err != nil {
		t.Fatal(err)
	}
	s.Node = n
	return s
}

func newShop(t *testing.T, change func(*Config)) *shop {
	t.Helper()
	s := openShop(t, change)
	s.serve()
	t.Cleanup(func() {
		s.Stop()
		_ = s.Wait() // a test whose node fails looks at that itself
	})
	return s
}

// logged counts the lines that say something.
func (s *shop) logged(text string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, line := range s.said {
		if strings.Contains(line, text) {
			n++
		}
	}
	return n
}

// until waits for something to become true.
func until(t *testing.T, what string, yes func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for !yes() {
		select {
		case <-deadline:
			t.Fatalf("after 20 s, not yet: %s", what)
		case <-tick.C:
		}
	}
}

// ask sends a client's request; the status is 0 if no answer came.
func (s *shop) ask(method, path string, body any) (status int, answer map[string]any) {
	text, err := json.Marshal(body)
	if err != nil {
		s.t.Error(err)
		return 0, nil
	}
	r, err := http.NewRequestWithContext(context.Background(), method, s.clients+path, bytes.NewReader(text))
	if err != nil {
		s.t.Error(err)
		return 0, nil
	}
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil
	}
	defer got.Body.Close()
	all, err := io.ReadAll(got.Body)
	if err != nil || json.Unmarshal(all, &answer) != nil {
		s.t.Errorf("%s %s is answered by %q, %v", method, path, all, err)
	}
	return got.StatusCode, answer
}

func (s *shop) dropIn() int {
	status, _ := s.ask("POST", "/input", map[string]any{"action": "drop in"})
	return status
}

// state waits for the node's status to show something.
func (s *shop) shows(text string) {
	s.t.Helper()
	until(s.t, "the state has "+text, func() bool {
		_, answer := s.ask("GET", "/status", nil)
		shown, _ := answer["state"].(string)
		return strings.Contains(shown, text)
	})
}

// greet connects as an agent.
func (s *shop) greet(as model.ID) net.Conn {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.at)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	h := s.hello(1)
	h.From = as
	if err := writeJSON(conn, h); err != nil {
		s.t.Fatal(err)
	}
	var answer welcome
	if err := readJSON(conn, &answer); err != nil || answer.Refused != "" {
		s.t.Fatalf("agent %d is answered by %+v, %v", as, answer, err)
	}
	return conn
}

// coin is a frame with one.
func (s *shop) coin(seq int, c coin) []byte {
	s.t.Helper()
	body, err := s.machine.Codecs.Body.Append(nil, c)
	if err != nil {
		s.t.Fatal(err)
	}
	return appendFrame(nil, frame{seq, 0, body})
}

// judged has the traces judged; messages of agents that the test is are assumed.
func (s *shop) judged() *validate.Report {
	s.t.Helper()
	_, files, err := validate.Setting([]string{s.c.Trace})
	if err != nil {
		s.t.Fatal(err)
	}
	r, err := validate.Check(&s.sys, files, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	if r.Verdict != validate.Valid {
		s.t.Errorf("the trace is %s: %+v", r.Verdict, r.FirstInvalid)
	}
	return r
}
