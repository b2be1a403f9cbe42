package runner

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/caulk-go/caulk/model"
)

// prefixed is bytes after their length.
func prefixed(text string) string {
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(text)))) + text
}

// changed is a hello of agent 2's that is wrong somewhere.
func changed(t *testing.T, s *shop, change func(*hello)) string {
	t.Helper()
	h := s.hello(1)
	h.From = 2
	change(&h)
	text, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return prefixed(string(text))
}

// Whoever connects and says what no peer would is cut off, and told of once; the
// others are served all the while.
func TestHostilePeers(t *testing.T) {
	s := newShop(t, nil)
	good := changed(t, s, func(*hello) {})
	friend := s.greet(3)
	seq := 0
	for _, c := range []struct {
		name, sends string
		close       bool // the test closes; else the node must
		says        string
	}{
		{"another protocol", "GET / HTTP/1.1\r\nHost: here\r\n\r\n", false, "a frame of 1195725856 bytes: 65536 are the most"},
		{"garbage", prefixed("\x00\xff\x13garbage"), false, "it is no node of caulk"},
		{"nothing in it", prefixed(""), false, "it is no node of caulk"},
		{"half a hello", good[:len(good)/2], true, "it ends within a frame"},
		{"another version", changed(t, s, func(h *hello) { h.Protocol = "caulk/peer/v9" }), false, `it speaks "caulk/peer/v9"`},
		{"another algorithm", changed(t, s, func(h *hello) { h.Algo = "bank" }), false, "it runs bank with 3 agents"},
		{"more agents", changed(t, s, func(h *hello) { h.Agents = 5 }), false, "it runs till with 5 agents"},
		{"other messages", changed(t, s, func(h *hello) { h.Messages = "x" }), false, "its messages are of other types"},
		{"another's address", changed(t, s, func(h *hello) { h.To = 2 }), false, "it looks for agent 2, and this is agent 1"},
		{"myself", changed(t, s, func(h *hello) { h.From = 1 }), false, "it says that it is agent 1, incarnation 0"},
		{"nobody", changed(t, s, func(h *hello) { h.From = 7 }), false, "it says that it is agent 7, incarnation 0"},
		{"a huge message", good + "\xff\xff\xff\xff", false, "a frame of 4294967295 bytes: 16777216 are the most"},
		{"half a message", good + "\x00\x10\x00\x00half", true, "it ends within a frame"},
		{"a message of no step", good + prefixed("\x00\x00\x02"), false, "a message of no step"},
		{"a frame without numbers", good + prefixed("\xff"), false, "a frame that is no message"},
		{"a body of no type", good + prefixed("\x01\x00garbage"), false, "a message that is none of the algorithm's"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for range 3 {
				conn, err := net.Dial("tcp", s.at)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := conn.Write([]byte(c.sends)); err != nil {
					t.Fatal(err)
				}
				if c.close {
					if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
						t.Fatal(err)
					}
				}
				if err := conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
					t.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, conn); err != nil && strings.Contains(err.Error(), "timeout") {
					t.Errorf("the node does not close the connection: %v", err)
				}
				conn.Close()
			}
			until(t, "the node tells of it", func() bool { return s.logged(c.says) > 0 })
			if n := s.logged(c.says); n > 3 { // "half a frame" is said of two cases
				t.Errorf("%q is said %d times", c.says, n)
			}
			seq++
			if _, err := friend.Write(s.coin(seq, 1)); err != nil {
				t.Fatal(err)
			}
			s.shows(fmt.Sprintf("Total: %d,", seq))
		})
	}
	if n := s.logged("a frame of 1195725856 bytes"); n != 1 {
		t.Errorf("what came three times is told of %d times", n)
	}
	s.Stop()
	if err := s.Wait(); err != nil {
		t.Error(err)
	}
	if n := s.logged("(3 times in all)"); n == 0 {
		t.Error("at the end nothing says how often it was")
	}
	s.judged()
}

// Connections that say nothing do not keep peers out for long, and are bounded.
func TestSilentStrangers(t *testing.T) {
	s := newShop(t, nil)
	for range strangers + 20 {
		conn, err := net.Dial("tcp", s.at)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
	}
	until(t, "connections are refused", func() bool { return s.logged("connections are refused: 67 are open") > 0 })
	until(t, "the silent are cut off", func() bool { return s.logged("it says nothing") > 0 })
	until(t, "there is room again", func() bool {
		s.accept.mu.Lock()
		defer s.accept.mu.Unlock()
		return len(s.accept.open) == 0
	})
	friend := s.greet(2)
	if _, err := friend.Write(s.coin(1, 5)); err != nil {
		t.Fatal(err)
	}
	s.shows("Total: 5,")
}

// A peer that floods has its own messages dropped; another peer's and a client's are
// served in turn.
func TestAFlood(t *testing.T) {
	s := newShop(t, func(c *Config) { c.EachCommits = true })
	friend, flood := s.greet(2), s.greet(3)
	stop := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		out := bufio.NewWriterSize(flood, 1<<16)
		for seq := 1; ; seq++ {
			select {
			case <-stop:
				return
			default:
				if _, err := out.Write(s.coin(seq, 0)); err != nil {
					return
				}
			}
		}
	}()
	until(t, "the flood is above the dam", func() bool { return s.inbox.lost() > 0 })
	for seq := 1; seq <= 20; seq++ {
		if _, err := friend.Write(s.coin(seq, 7)); err != nil {
			t.Fatal(err)
		}
	}
	s.shows("Total: 140,")
	if status := s.dropIn(); status != 200 {
		t.Errorf("a client is answered by %d", status)
	}
	s.inbox.mu.Lock()
	for i, q := range s.inbox.queues {
		if len(q.items) > mostWaiting || q.bytes > mostWaitingBytes {
			t.Errorf("%d messages of agent %d wait, of %d bytes", len(q.items), i+1, q.bytes)
		}
	}
	s.inbox.mu.Unlock()
	close(stop)
	flood.Close()
	<-ended
}

// A peer that does not read delays nobody else, and what waits for it is bounded.
func TestASlowReader(t *testing.T) {
	slow, quick := listener(t), listener(t)
	defer slow.Close()
	defer quick.Close()
	s := newShop(t, func(c *Config) {
		c.Peers = map[model.ID]string{2: slow.Addr().String(), 3: quick.Addr().String()}
	})
	welcomed := func(l net.Listener) net.Conn {
		conn, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		var h hello
		if err := readJSON(conn, &h); err != nil {
			t.Fatal(err)
		}
		if err := writeJSON(conn, welcome{}); err != nil {
			t.Fatal(err)
		}
		return conn
	}
	welcomed(slow)
	in := bufio.NewReader(welcomed(quick))
	body := make([]byte, 1<<20)
	for seq := 1; seq <= 64; seq++ {
		for _, to := range []model.ID{2, 3} {
			s.peers[to].send(frame{seq, 0, body})
		}
		if _, err := readFrame(in, mostFrame); err != nil {
			t.Fatal(err)
		}
	}
	l := s.peers[2]
	l.mu.Lock()
	waiting, bytes, dropped := len(l.waiting), l.bytes, l.dropped
	l.mu.Unlock()
	if waiting > mostWaitingBytes>>20 || bytes > mostWaitingBytes || dropped == 0 {
		t.Errorf("%d messages of %d bytes wait for the slow one, %d were dropped", waiting, bytes, dropped)
	}
}
