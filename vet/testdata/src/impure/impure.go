// Package impure does in handlers all that must not be done there.
package impure

import (
	crand "crypto/rand"
	"fmt"
	"hash/maphash"
	"log"
	"maps"
	"math/rand"
	randv2 "math/rand/v2"
	"net"
	"os"
	"runtime"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"time"

	"github.com/caulk-go/caulk/model"
)

type state struct {
	N     int
	Items []int
	Index map[string]int
	Top   *int
	Deep  []struct{ Inner []int }
	At    int64
}

type body struct {
	List []int
	Kind string
}

type message = model.Message[body]

type node struct{ seen []int }

var (
	count  int
	cache  = map[string]int{}
	mutex  sync.Mutex
	clicks atomic.Int64
	events = make(chan int)
)

func (*node) Fresh(self model.ID, _ []model.ID, _ int) (state, []message) {
	seed := time.Now().UnixNano() // want `Fresh of node uses time.Now: time is a move`
	name, _ := os.Hostname()      // want `Fresh of node uses os.Hostname: keep IO out`
	return state{At: seed, N: len(name)}, nil
}

func (n *node) Receive(s state, m message) (state, []message) {
	switch m.Body.Kind {
	case "time":
		time.Sleep(time.Millisecond) // want `uses time.Sleep`
		<-time.After(time.Second)    // want `uses time.After` `receives from a channel`
	case "chance":
		s.N = rand.Intn(3)                 // want `uses math/rand.Intn: chance is a move`
		s.N = randv2.IntN(3)               // want `uses math/rand/v2.IntN`
		_, _ = crand.Read(make([]byte, 3)) // want `uses crypto/rand.Read`
		var h maphash.Hash                 // want `uses hash/maphash.Hash: its seed`
		_ = h
	case "io":
		fmt.Println(s)              // want `uses fmt.Println`
		log.Print(s)                // want `uses log.Print`
		_, _ = net.Dial("tcp", "x") // want `uses net.Dial: send a message`
		_ = os.Getenv("X")          // want `uses os.Getenv`
		s.N = runtime.NumCPU()      // want `uses runtime.NumCPU`
	case "sharing":
		mutex.Lock()        // want `uses sync.Lock: no two handlers`
		clicks.Add(1)       // want `uses sync/atomic.Add`
		go func() {}()      // want `starts a goroutine`
		events <- 1         // want `sends on a channel`
		c := make(chan int) // want `makes a channel`
		close(c)            // want `closes a channel`
		select {            // want `selects among channels`
		case <-c:
		default:
		}
		for range events { // want `ranges over a channel`
		}
	case "package":
		count++                    // want `writes to the package variable count`
		cache["x"] = 1             // want `writes to the package variable cache`
		delete(cache, "x")         // want `writes to the package variable cache`
		n.seen = append(n.seen, 1) // want `writes through its receiver n, which all agents share`
	case "argument":
		s.Items[0] = 1         // want `writes through its argument s: work on a copy`
		s.Items[1]++           // want `writes through its argument s`
		s.Index["x"] = 1       // want `writes through its argument s`
		*s.Top = 2             // want `writes through its argument s`
		s.Deep[0].Inner[1] = 3 // want `writes through its argument s`
		m.Body.List[0] = 4     // want `writes through its argument m`
	}
	return later(s, m), nil
}

// later is called by a handler.
func later(s state, m message) state {
	s.At = time.Now().Unix() // want `later, which Receive of node calls, uses time.Now`
	return s
}

func (n *node) Start(s state, _ string) (state, []message) {
	items := s.Items
	items[0] = 1 // want `writes through its argument s`
	t := s
	t.Index["x"] = 1 // want `writes through its argument s`
	for _, d := range s.Deep {
		d.Inner[0] = 1 // want `writes through its argument s`
	}
	delete(s.Index, "x")                          // want `writes, by delete, through its argument s`
	clear(s.Index)                                // want `writes, by clear, through its argument s`
	copy(s.Items, items)                          // want `writes, by copy, through its argument s`
	s.Items = append(s.Items[:1], s.Items[2:]...) // want `writes, by append to a part of a slice, through its argument s`
	return s, nil
}

func (n *node) Persist(s state) state {
	slices.Sort(s.Items)      // want `writes, by slices.Sort, through its argument s`
	sort.Ints(s.Items)        // want `writes, by sort.Ints, through its argument s`
	maps.Copy(s.Index, cache) // want `writes, by maps.Copy, through its argument s`
	set(s.Items)              // want `writes, by set, through its argument s`
	s.forget()                // want `writes, by forget, through its argument s`
	return s
}

func (n *node) Halted(s state) bool {
	s.Index = maps.Clone(s.Index)
	forget(&s) // want `writes, by forget, through its argument s`
	return s.N > 3
}

func forget(s *state) { s.forget() }

func set(items []int) { first(items) }

func first(items []int) { items[0] = 1 }

func (s *state) forget() { s.Items[0] = 0 }

func (n *node) Restart(_ model.ID, _ []model.ID, _ int, s state) (state, []message) {
	var sent []message
	for range s.Index {
		sent = append(sent, message{To: 1})
	}
	for name := range s.Index { // want `ranges over a map, and appends in its order to sent`
		sent = append(sent, message{To: 1, Body: body{Kind: name}})
	}
	return s, sent
}

func (n *node) Label(s state) string {
	text := ""
	for name := range s.Index { // want `ranges over a map, and adds to a text`
		text += name
	}
	for _, name := range slices.Collect(maps.Keys(s.Index)) { // want `collects from a map`
		text = name
	}
	for name := range maps.Keys(s.Index) { // want `ranges over a map, and returns what it meets first`
		return name
	}
	return text
}

func (n *node) Actions() []model.Action[state, body] {
	ticks := 0
	return []model.Action[state, body]{
		{Name: "tick", Do: func(s state) (state, []message, bool) {
			ticks++            // want `the own action writes to ticks, a variable of the function around it`
			s.Items[0] = ticks // want `the own action writes through its argument s`
			return s, nil, true
		}},
		{Name: "tock", Do: tock},
	}
}

func tock(s state) (state, []message, bool) {
	s.At = time.Now().Unix() // want `uses time.Now`
	return s, nil, true
}

func observe(seen []int, e model.Event) []int {
	seen[0] = 1 // want `the observer .observe. writes through its argument seen`
	return seen
}

func system() model.System {
	calls := 0
	return model.System{
		Observer: model.Observe([]int{}, observe),
		Properties: []model.Property{model.Always("p", func(v model.View) error {
			calls++ // want `the property writes to calls`
			return nil
		})},
	}
}
