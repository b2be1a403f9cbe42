package runner_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/runner"
	"github.com/caulk-go/caulk/validate"
)

// child tells this test's program that it is to be a node, and which.
const child = "CAULK_TEST_NODE"

type childConfig struct {
	Self  model.ID
	Peers map[model.ID]string
	Dir   string
}

func TestMain(m *testing.M) {
	text := os.Getenv(child)
	if text == "" {
		os.Exit(m.Run())
	}
	if err := beChild(text); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// beChild is a node of mark7 in a process of its own, on sockets 3 and 4.
func beChild(text string) error {
	var c childConfig
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		return err
	}
	sys, err := deployed("mark7")
	if err != nil {
		return err
	}
	config := runner.Config{
		System: sys, Self: c.Self, Peers: c.Peers, Data: filepath.Join(c.Dir, fmt.Sprint(c.Self)),
		Trace: filepath.Join(c.Dir, "trace"), Timer: 30 * time.Millisecond,
		Log: func(line string) { fmt.Fprintf(os.Stderr, "agent %d: %s\n", c.Self, line) },
	}
	for i, l := range []*net.Listener{&config.Listener, &config.Clients} {
		if *l, err = net.FileListener(os.NewFile(uintptr(3+i), "socket")); err != nil {
			return err
		}
	}
	n, err := runner.Start(config)
	if err != nil {
		return err
	}
	return n.Wait()
}

// processes are three nodes of mark7, each a process.
type processes struct {
	t       *testing.T
	dir     string
	files   map[model.ID][]*os.File // of the sockets, which outlive the processes
	peers   map[model.ID]string
	clients map[model.ID]string
	running map[model.ID]*exec.Cmd
}

func startProcesses(t *testing.T) *processes {
	t.Helper()
	p := &processes{t, t.TempDir(), map[model.ID][]*os.File{}, map[model.ID]string{}, map[model.ID]string{}, map[model.ID]*exec.Cmd{}}
	for id := model.ID(1); id <= 3; id++ {
		for _, addresses := range []map[model.ID]string{p.peers, p.clients} {
			l := listen(t, "127.0.0.1:0")
			f, err := l.(*net.TCPListener).File()
			if err != nil {
				t.Fatal(err)
			}
			addresses[id] = l.Addr().String()
			l.Close()
			p.files[id] = append(p.files[id], f)
		}
	}
	for id := model.ID(1); id <= 3; id++ {
		p.begin(id)
	}
	t.Cleanup(func() {
		for id := model.ID(1); id <= 3; id++ {
			p.kill(id)
			for _, f := range p.files[id] {
				f.Close()
			}
		}
	})
	return p
}

func (p *processes) begin(id model.ID) {
	p.t.Helper()
	peers := map[model.ID]string{}
	for other, address := range p.peers {
		if other != id {
			peers[other] = address
		}
	}
	text, err := json.Marshal(childConfig{id, peers, p.dir})
	if err != nil {
		p.t.Fatal(err)
	}
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), child+"="+string(text))
	c.ExtraFiles, c.Stderr = p.files[id], os.Stderr
	if err := c.Start(); err != nil {
		p.t.Fatal(err)
	}
	p.running[id] = c
}

// kill is kill -9.
func (p *processes) kill(id model.ID) {
	if c := p.running[id]; c != nil {
		_ = c.Process.Kill()
		_ = c.Wait() // it was killed
		delete(p.running, id)
	}
}

// asked is a request to one of three nodes in turn, until it is granted or the context
// is done.
func (p *processes) asked(ctx context.Context, id model.ID, method, path string, body any) (answer map[string]any, ok bool) {
	for ; ctx.Err() == nil; id = id%3 + 1 {
		text, err := json.Marshal(body)
		if err != nil {
			p.t.Error(err)
			return nil, false
		}
		attempt, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
		r, err := http.NewRequestWithContext(attempt, method, "http://"+p.clients[id]+path, bytes.NewReader(text))
		if err != nil {
			cancel()
			p.t.Error(err)
			return nil, false
		}
		status, answer := do(p.t, r)
		cancel()
		if status == 200 {
			return answer, true
		}
	}
	return nil, false
}

// Nodes are killed by kill -9 again and again, while clients write: whatever was
// acknowledged is there, and what the nodes did is a behaviour of the model.
func TestKillsLoseNothing(t *testing.T) {
	kills := 200
	if testing.Short() {
		kills = 10
	}
	p := startProcesses(t)
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	writing, enough := context.WithCancel(ctx)
	const writers = 3
	var acknowledged [writers]atomic.Int64
	var all sync.WaitGroup
	for w := range writers {
		all.Go(func() {
			for n := 1; writing.Err() == nil; n++ {
				put := map[string]any{"client": w + 1, "number": n, "key": fmt.Sprint("k", w), "value": fmt.Sprint(n)}
				if _, ok := p.asked(writing, model.ID(w+1), "POST", "/put", put); ok {
					acknowledged[w].Store(int64(n))
				}
			}
		})
	}
	reads := 0
	read := func(after string) {
		for w := range writers {
			least := acknowledged[w].Load()
			reads++
			answer, ok := p.asked(ctx, 1, "GET", fmt.Sprintf("/get?key=k%d&client=%d&number=%d", w, 10+w, reads), nil)
			var got int64
			if value, _ := answer["value"].(string); value != "" {
				if _, err := fmt.Sscan(value, &got); err != nil {
					t.Fatal(err)
				}
			}
			if !ok || got < least {
				t.Fatalf("after %s, %d was acknowledged to writer %d, and %d is read, %t", after, least, w, got, ok)
			}
		}
	}
	read("the start")
	for k := range kills {
		id := model.ID(k%3 + 1)
		p.kill(id)
		p.begin(id)
		if k%10 == 9 {
			read(fmt.Sprintf("%d kills", k+1))
		}
	}
	enough()
	all.Wait()
	read("all kills")
	for w := range writers {
		if acknowledged[w].Load() < int64(kills)/20 {
			t.Errorf("writer %d was told %d times that it has written", w, acknowledged[w].Load())
		}
	}
	for id := model.ID(1); id <= 3; id++ {
		p.kill(id)
	}
	sys, err := deployed("mark7")
	if err != nil {
		t.Fatal(err)
	}
	_, files, err := validate.Setting([]string{filepath.Join(p.dir, "trace")})
	if err != nil {
		t.Fatal(err)
	}
	r, err := validate.Check(&sys, files, nil)
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != validate.Valid {
		t.Errorf("the traces are %s: %+v %+v", r.Verdict, r.FirstInvalid, r.Violation)
	}
	t.Logf("%d kills, %d, %d and %d acknowledged, %d steps of which %d are undone", kills, acknowledged[0].Load(), acknowledged[1].Load(), acknowledged[2].Load(), r.Steps, r.Undone)
}
