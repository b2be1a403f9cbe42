package runner

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace/tracelog"
)

func TestFramesAreReadAsTheyWereWritten(t *testing.T) {
	lots := rand.New(rand.NewPCG(1, 1))
	var want []frame
	var wire []byte
	for range 200 {
		body := make([]byte, lots.IntN(1<<lots.IntN(18)))
		for i := range body {
			body[i] = byte(lots.Uint32())
		}
		f := frame{1 + lots.IntN(1<<40), lots.IntN(300), body}
		want = append(want, f)
		wire = appendFrame(wire, f)
	}
	in := bytes.NewReader(wire)
	for i, f := range want {
		b, err := readFrame(in, mostFrame)
		if err != nil {
			t.Fatal(err)
		}
		got, err := parseFrame(b)
		if err != nil || got.seq != f.seq || got.index != f.index || !bytes.Equal(got.body, f.body) {
			t.Fatalf("frame %d is read as %d %d and %d bytes, %v", i, got.seq, got.index, len(got.body), err)
		}
	}
	if _, err := readFrame(in, mostFrame); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
}

// Whatever bytes come, what is taken for a message is one that appendFrame writes,
// and memory is bounded by what has come.
func FuzzFrame(f *testing.F) {
	f.Add(appendFrame(nil, frame{7, 2, []byte("body")}))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Add([]byte{0, 0x10, 0, 0, 1, 0})
	f.Add([]byte{0, 0, 0, 11, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, wire []byte) {
		b, err := readFrame(bytes.NewReader(wire), mostFrame)
		if err != nil {
			return
		}
		if len(b) > len(wire) || cap(b) > 4*len(wire)+(1<<10) {
			t.Fatalf("%d bytes give %d in %d", len(wire), len(b), cap(b))
		}
		got, err := parseFrame(b)
		if err != nil {
			return
		}
		if got.seq < 1 || got.index < 0 {
			t.Fatalf("message %d of step %d", got.index, got.seq)
		}
		again, err := parseFrame(appendFrame(nil, got)[4:])
		if err != nil || again.seq != got.seq || again.index != got.index || !bytes.Equal(again.body, got.body) {
			t.Fatalf("written again it is %+v, %v", again, err)
		}
		var h hello
		_ = readJSON(bytes.NewReader(wire), &h)
	})
}

func TestTheInboxTakesTurns(t *testing.T) {
	sys := tills(t)
	b := newInbox(&sys)
	for i := range 3 {
		for _, from := range []model.ID{1, 3} {
			b.push(received{from: from, ref: tracelog.Ref{Index: i}})
		}
	}
	b.ask(request{action: "a"})
	b.ask(request{action: "b"})
	var order []string
	for {
		m, r := b.pop()
		switch {
		case m != nil:
			order = append(order, string('0'+rune(m.from))+string('a'+rune(m.ref.Index)))
			continue
		case r != nil:
			order = append(order, r.action)
			continue
		}
		break
	}
	if got := strings.Join(order, " "); got != "1a 3a a 1b 3b b 1c 3c" {
		t.Errorf("the order is %s", got)
	}
	for range mostRequests {
		b.ask(request{})
	}
	if b.ask(request{}) {
		t.Error("there is room for any number of requests")
	}
	huge := make([]byte, mostWaitingBytes+1)
	b.push(received{from: 2, body: huge})
	b.push(received{from: 2, body: huge})
	if b.lost() != 1 || len(b.queues[1].items) != 1 {
		t.Errorf("of two huge messages %d are dropped, and %d are left", b.lost(), len(b.queues[1].items))
	}
}

// The lots of a link are drawn by its seed and its ends alone.
func TestFaultsAreSeeded(t *testing.T) {
	faults := Faults{Drop: 0.3, Duplicate: 0.2, DelayMin: time.Millisecond, DelayMax: 50 * time.Millisecond}
	drawn := func(seed uint64, to model.ID) (copies []int, counts Injected) {
		f := faults
		f.Seed = seed
		link := newFate(&Node{c: Config{System: tills(t), Self: 1, Faults: f}}, to)
		now := time.Now()
		for range 2000 {
			all := link.copies(now)
			for _, at := range all {
				if d := at.Sub(now); d < f.DelayMin || d > f.DelayMax {
					t.Fatalf("a delay of %s", d)
				}
			}
			copies = append(copies, len(all))
		}
		return copies, link.count()
	}
	first, counts := drawn(1, 2)
	if again, _ := drawn(1, 2); !slices.Equal(first, again) {
		t.Error("the same seed draws other lots")
	}
	for _, other := range []struct {
		seed uint64
		to   model.ID
	}{{2, 2}, {1, 3}} {
		if got, _ := drawn(other.seed, other.to); slices.Equal(first, got) {
			t.Errorf("%+v draws the same lots", other)
		}
	}
	if counts.Dropped < 500 || counts.Dropped > 700 || counts.Duplicated < 200 || counts.Duplicated > 360 || counts.Delayed != 2000-counts.Dropped+counts.Duplicated {
		t.Errorf("of 2000 messages: %+v", counts)
	}
}

func TestAPartition(t *testing.T) {
	p := Partition{Groups: [][]model.ID{{1, 2}, {3}}, From: time.Second, To: 2 * time.Second}
	for _, c := range []struct {
		a, b  model.ID
		at    time.Duration
		parts bool
	}{
		{1, 3, time.Second, true},
		{3, 2, 1999 * time.Millisecond, true},
		{1, 3, 999 * time.Millisecond, false},
		{1, 3, 2 * time.Second, false},
		{1, 2, 1500 * time.Millisecond, false},
		{1, 4, 1500 * time.Millisecond, false},
	} {
		if got := p.parts(c.a, c.b, c.at); got != c.parts {
			t.Errorf("%d and %d are parted at %s: %t", c.a, c.b, c.at, got)
		}
	}
}

// On fifo a message that is held back holds up those behind it.
func TestDelaysKeepTheOrderOfFifo(t *testing.T) {
	sys := tills(t)
	sys.Network = model.Fifo
	link := newFate(&Node{c: Config{System: sys, Self: 1, Faults: Faults{DelayMax: time.Second}}}, 2)
	now, last := time.Now(), time.Time{}
	for range 500 {
		at := link.copies(now)[0]
		if at.Before(last) {
			t.Fatal("a message overtakes the one before")
		}
		last, now = at, now.Add(time.Millisecond)
	}
}

func TestConfigsThatMakeNoSense(t *testing.T) {
	sys := tills(t)
	fifo := sys
	fifo.Network, fifo.Lossy = model.Fifo, true
	for says, c := range map[string]Config{
		"there is no agent 7 to run":                                  {System: sys, Self: 7},
		"agent 1 is its own peer":                                     {System: sys, Self: 1, Peers: map[model.ID]string{1: "x:1"}},
		"an incarnation of -1":                                        {System: sys, Self: 1, Incarnation: -1},
		`there is no timer "alarm": the timers of till are clear`:     {System: sys, Self: 1, Timers: map[string]time.Duration{"alarm": 1}},
		`timer "clear": a duration of -1ns is none`:                   {System: sys, Self: 1, Timers: map[string]time.Duration{"clear": -1}},
		"timers of -1ns":                                              {System: sys, Self: 1, Timer: -1},
		"drop: 1.5 is no probability":                                 {System: sys, Self: 1, Faults: Faults{Drop: 1.5}},
		"nothing is doubled on fifo":                                  {System: fifo, Self: 1, Faults: Faults{Duplicate: 0.5}},
		"a delay of 2ns to 1ns":                                       {System: sys, Self: 1, Faults: Faults{DelayMin: 2, DelayMax: 1}},
		"a partition of agent 9":                                      {System: sys, Self: 1, Faults: Faults{Partitions: []Partition{{Groups: [][]model.ID{{9}}, To: 1}}}},
		"a partition from 0s to 0s":                                   {System: sys, Self: 1, Faults: Faults{Partitions: []Partition{{}}}},
		"agent 1 keeps something over a restart: say in which folder": {System: sys, Self: 1},
		"cannot use the folder /dev/null/x: ":                         {System: sys, Self: 1, Data: "/dev/null/x"},
	} {
		l := listener(t)
		c.Listener = l
		n, err := Start(c)
		if err == nil {
			n.Stop()
			t.Errorf("it runs; it should be refused: %s", says)
		} else if !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("it is refused by %q, not for: %s", err, says)
		}
		if _, err := l.Accept(); err == nil {
			t.Error("the listener is open after a refusal")
		}
	}
}
