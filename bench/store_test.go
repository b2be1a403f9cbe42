package bench_test

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
	"sync"
	"testing"
	"time"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/runner"
)

// BenchmarkStore measures mark7 on three nodes of this machine, with their disks: so
// many clients put one value after another, and each asks the same node. An operation
// is a put; steps and commits are those of all nodes.
func BenchmarkStore(b *testing.B) {
	for _, each := range []bool{false, true} {
		commit := "group"
		if each {
			commit = "each"
		}
		for _, clients := range []int{1, 4, 16, 64} {
			b.Run(fmt.Sprintf("commit=%s/clients=%d", commit, clients), func(b *testing.B) { puts(b, each, clients) })
		}
	}
}

func puts(b *testing.B, each bool, clients int) {
	s := newStore(b, each)
	s.put(0, 1) // there is a master
	before := s.status()
	calls := make(chan struct{}, b.N)
	for range b.N {
		calls <- struct{}{}
	}
	close(calls)
	latencies := make([][]time.Duration, clients)
	b.ResetTimer()
	var all sync.WaitGroup
	for c := range clients {
		all.Go(func() {
			for number := 2; ; number++ {
				if _, more := <-calls; !more {
					return
				}
				began := time.Now()
				s.put(c, number)
				latencies[c] = append(latencies[c], time.Since(began))
			}
		})
	}
	all.Wait()
	b.StopTimer()
	after := s.status()
	took := b.Elapsed().Seconds()
	b.ReportMetric(float64(b.N)/took, "puts/s")
	b.ReportMetric(float64(after.Steps-before.Steps)/took, "steps/s")
	b.ReportMetric(float64(after.Commits-before.Commits)/took, "commits/s")
	sorted := slices.Sorted(slices.Values(slices.Concat(latencies...)))
	for _, percent := range []int{50, 99} {
		b.ReportMetric(float64(sorted[(len(sorted)-1)*percent/100].Microseconds())/1000, fmt.Sprintf("ms-p%d", percent))
	}
}

// store is mark7 on three nodes.
type store struct {
	b       *testing.B
	clients []string
	http    http.Client
}

func newStore(b *testing.B, each bool) *store {
	s := &store{b: b, http: http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}}
	config := model.Config{}
	for _, a := range algos.All() {
		if a.Name == "mark7" {
			config.Params = a.Deployed
		}
	}
	sys := made(b, "mark7", config)
	sys.Restart, sys.Lossy, sys.Budgets = sys.Population(), true, nil
	dir := b.TempDir()
	addresses, listeners := map[model.ID]string{}, map[model.ID]net.Listener{}
	listen := func() net.Listener {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		return l
	}
	for _, id := range sys.Population() {
		listeners[id] = listen()
		addresses[id] = listeners[id].Addr().String()
	}
	for _, id := range sys.Population() {
		peers := map[model.ID]string{}
		for other, address := range addresses { //tidy:unordered into a map
			if other != id {
				peers[other] = address
			}
		}
		clients := listen()
		s.clients = append(s.clients, "http://"+clients.Addr().String())
		n, err := runner.Start(runner.Config{
			System: sys, Self: id, Peers: peers, Listener: listeners[id], Clients: clients,
			Data: filepath.Join(dir, fmt.Sprint(id)), Timer: 100 * time.Millisecond, EachCommits: each,
		})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() {
			n.Stop()
			if err := n.Wait(); err != nil {
				b.Error(err)
			}
		})
	}
	b.Cleanup(s.http.CloseIdleConnections)
	return s
}

// put asks the node until it answers; under its number it is done once.
func (s *store) put(client, number int) {
	text, err := json.Marshal(map[string]any{"client": client + 1, "number": number, "key": fmt.Sprint("k", client), "value": fmt.Sprint(number)})
	if err != nil {
		s.b.Error(err)
		return
	}
	for s.do(http.MethodPost, s.clients[0]+"/put", text, nil) != http.StatusOK {
	}
}

func (s *store) do(method, url string, body []byte, answer any) (status int) {
	r, err := http.NewRequestWithContext(context.Background(), method, url, bytes.NewReader(body))
	if err != nil {
		s.b.Error(err)
		return http.StatusOK
	}
	response, err := s.http.Do(r)
	if err != nil {
		return 0
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || answer != nil && json.Unmarshal(text, answer) != nil {
		return 0
	}
	return response.StatusCode
}

// status is the sum of what the nodes have counted.
func (s *store) status() (sum runner.Status) {
	for _, address := range s.clients {
		var one runner.Status
		if status := s.do(http.MethodGet, address+"/status", nil, &one); status != http.StatusOK {
			s.b.Fatalf("a node answers %d", status)
		}
		sum.Steps += one.Steps
		sum.Commits += one.Commits
	}
	return sum
}
