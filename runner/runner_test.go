package runner_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/runner"
	"github.com/caulk-go/caulk/validate"
)

// deployed is an algorithm as it runs: whatever is restarted or wiped, and messages
// may be lost.
func deployed(name string) (model.System, error) {
	for _, a := range algos.All() {
		if a.Name != name {
			continue
		}
		sys, err := a.System(model.Config{Params: a.Deployed})
		if err != nil {
			return sys, err
		}
		sys.Budgets, sys.Wipe, sys.Lossy = nil, sys.Population(), true
		if sys.Node(1).Persists() {
			sys.Restart = sys.Population()
		}
		return sys, nil
	}
	return model.System{}, fmt.Errorf("there is no algorithm %q", name)
}

func system(t testing.TB, name string) model.System {
	t.Helper()
	sys, err := deployed(name)
	if err != nil {
		t.Fatal(err)
	}
	return sys
}

// nodes are all nodes of a system, on this machine.
type nodes struct {
	t       testing.TB
	sys     model.System
	dir     string
	peers   map[model.ID]string
	clients map[model.ID]string
	nodes   map[model.ID]*runner.Node
	lives   map[model.ID]int
	change  func(*runner.Config)

	mu   sync.Mutex
	said []string
}

func listen(t testing.TB, address string) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func start(t testing.TB, sys model.System, change func(*runner.Config)) *nodes {
	t.Helper()
	c := &nodes{t: t, sys: sys, dir: t.TempDir(), peers: map[model.ID]string{}, clients: map[model.ID]string{},
		nodes: map[model.ID]*runner.Node{}, lives: map[model.ID]int{}, change: change}
	peers := map[model.ID]net.Listener{}
	for _, id := range sys.Population() {
		peers[id] = listen(t, "127.0.0.1:0")
		c.peers[id] = peers[id].Addr().String()
	}
	for _, id := range sys.Population() {
		c.begin(id, peers[id])
	}
	t.Cleanup(c.stop)
	return c
}

// begin starts a node, on a listener or where it listened before.
func (c *nodes) begin(id model.ID, l net.Listener) {
	c.t.Helper()
	if l == nil {
		l = listen(c.t, c.peers[id])
	}
	clients := listen(c.t, "127.0.0.1:0")
	peers := map[model.ID]string{}
	for other, address := range c.peers {
		if other != id {
			peers[other] = address
		}
	}
	config := runner.Config{
		System: c.sys, Self: id, Peers: peers, Listener: l, Clients: clients, Incarnation: c.lives[id],
		Data: filepath.Join(c.dir, fmt.Sprint(id)), Trace: filepath.Join(c.dir, "trace"), Timer: 20 * time.Millisecond,
		Log: func(line string) {
			c.mu.Lock()
			defer c.mu.Unlock()
			c.said = append(c.said, line)
		},
	}
	if c.change != nil {
		c.change(&config)
	}
	n, err := runner.Start(config)
	if err != nil {
		c.t.Fatal(err)
	}
	c.nodes[id], c.clients[id] = n, "http://"+clients.Addr().String()
	c.lives[id]++
}

func (c *nodes) stop() {
	c.t.Helper()
	for _, id := range c.sys.Population() {
		c.nodes[id].Stop()
	}
	for _, id := range c.sys.Population() {
		if err := c.nodes[id].Wait(); err != nil {
			c.t.Error(err)
		}
	}
}

// valid has the traces of all nodes judged.
func (c *nodes) valid() *validate.Report {
	c.t.Helper()
	_, files, err := validate.Setting([]string{filepath.Join(c.dir, "trace")})
	if err != nil {
		c.t.Fatal(err)
	}
	r, err := validate.Check(&c.sys, files, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	if r.Verdict != validate.Valid {
		c.t.Errorf("the traces are %s: %+v %+v", r.Verdict, r.FirstInvalid, r.Violation)
	}
	return r
}

// ask sends a request to a node; the answer is its status and JSON.
func (c *nodes) ask(id model.ID, method, path string, body any) (int, map[string]any) {
	c.t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		c.t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(context.Background(), method, c.clients[id]+path, bytes.NewReader(text))
	if err != nil {
		c.t.Fatal(err)
	}
	return do(c.t, r)
}

func do(t testing.TB, r *http.Request) (int, map[string]any) {
	t.Helper()
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return 0, nil
	}
	var v map[string]any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%s is no JSON: %v", text, err)
	}
	return answer.StatusCode, v
}

// put asks until it is done: a named request is done once.
func (c *nodes) put(id model.ID, number int, key, value string) {
	c.t.Helper()
	for range 50 {
		if status, _ := c.ask(id, "POST", "/put", map[string]any{"client": 1, "number": number, "key": key, "value": value}); status == 200 {
			return
		}
		id = id%3 + 1
	}
	c.t.Fatalf("nobody puts %s", value)
}

func TestAStoreOfThreeNodes(t *testing.T) {
	before := runtime.NumGoroutine()
	c := start(t, system(t, "mark7"), nil)
	for i := 1; i <= 20; i++ {
		c.put(1, i, fmt.Sprint("k", i%3), fmt.Sprint(i))
	}
	for id := model.ID(1); id <= 3; id++ {
		if status, answer := c.ask(id, "GET", "/get?key=k2", nil); status != 200 || answer["value"] != "20" {
			t.Errorf("agent %d answers %d %v", id, status, answer)
		}
		if status, answer := c.ask(id, "GET", "/status", nil); status != 200 || answer["algo"] != "mark7" || answer["commits"] == 0.0 {
			t.Errorf("agent %d's status is %d %v", id, status, answer)
		}
	}
	c.stop()
	if r := c.valid(); r.Done != r.Steps || r.Assumed > 0 || r.Received == 0 {
		t.Errorf("of %d steps %d are durable; %d were received, %d assumed", r.Steps, r.Done, r.Received, r.Assumed)
	}
	http.DefaultClient.CloseIdleConnections()
	ended := time.After(5 * time.Second)
	for runtime.NumGoroutine() > before {
		select {
		case <-ended:
			t.Fatalf("there were %d goroutines, and are %d", before, runtime.NumGoroutine())
		default:
			runtime.Gosched()
		}
	}
}

// Whatever was acknowledged is there after any node was killed, again and again; and
// what the nodes did is a behaviour of the model.
func TestNothingAcknowledgedIsLost(t *testing.T) {
	c := start(t, system(t, "mark7"), func(r *runner.Config) {
		r.Faults = runner.Faults{Drop: 0.02, Duplicate: 0.02, DelayMax: 2 * time.Millisecond, Seed: 7}
		r.System.Budgets = map[model.Budget]int{model.Duplicates: 1 << 30}
	})
	c.sys.Budgets = map[model.Budget]int{model.Duplicates: 1 << 30}
	number := 0
	for round := range 9 {
		id := model.ID(round%3 + 1)
		for range 5 {
			number++
			c.put(id, number, "k", fmt.Sprint(number))
		}
		c.nodes[id].Kill()
		if err := c.nodes[id].Wait(); err != nil {
			t.Fatal(err)
		}
		c.begin(id, nil)
		for range 50 {
			status, answer := c.ask(id, "GET", "/get?key=k", nil)
			if status == 200 {
				if answer["value"] != fmt.Sprint(number) {
					t.Fatalf("after %d was put, agent %d reads %v", number, id, answer)
				}
				break
			}
		}
	}
	c.stop()
	c.valid()
}

func TestBadRequests(t *testing.T) {
	c := start(t, system(t, "mark5"), nil)
	if status, answer := c.ask(2, "POST", "/propose", map[string]any{"value": "y"}); status != 200 {
		t.Errorf("a proposal is answered by %d %v", status, answer)
	}
	for _, bad := range []struct {
		method, path string
		body         any
		want         int
		says         string
	}{
		{"GET", "/nothing", nil, 404, "GET /status"},
		{"PUT", "/propose", nil, 404, "POST /propose"},
		{"POST", "/propose", map[string]any{}, 400, `"value"`},
		{"POST", "/propose", map[string]any{"valu": "x"}, 400, "unknown field"},
		{"POST", "/propose", map[string]any{"value": strings.Repeat("x", 2<<20)}, 413, "larger than 1048576 bytes"},
		{"POST", "/put", map[string]any{"key": "k"}, 404, "serves no clients"},
		{"GET", "/get?client=x", nil, 400, "is no number"},
		{"POST", "/input", map[string]any{"action": "dance"}, 404, `no input "dance"`},
	} {
		status, answer := c.ask(1, bad.method, bad.path, bad.body)
		if says := fmt.Sprint(answer["error"]); status != bad.want || !strings.Contains(says, bad.says) {
			t.Errorf("%s %s is answered by %d %s", bad.method, bad.path, status, says)
		}
	}
	r, err := http.NewRequestWithContext(context.Background(), "GET", c.clients[1]+"/status", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "evil.example"
	if status, _ := do(t, r); status != 403 {
		t.Errorf("a name that leads here by DNS is answered by %d", status)
	}
	c.stop()
	c.valid()
}
