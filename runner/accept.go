package runner

import (
	"bufio"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// acceptor takes the connections of peers. Whoever connects may be hostile: what is
// no message of a peer ends the connection, and takes little memory until then.
type acceptor struct {
	n        *Node
	listener net.Listener
	all      sync.WaitGroup

	mu     sync.Mutex
	open   map[net.Conn]bool
	peers  map[model.ID]*reading // who is connected
	closed bool
}

// reading is a connection of a peer that has said hello.
type reading struct {
	conn net.Conn
	done chan struct{}
}

// strangers is how many connections there may be that have not said hello yet, or
// are being replaced, beside one of each peer.
const strangers = 64

func newAcceptor(n *Node, l net.Listener) *acceptor {
	a := &acceptor{n: n, listener: l, open: map[net.Conn]bool{}, peers: map[model.ID]*reading{}}
	a.all.Go(a.run)
	return a
}

func (a *acceptor) run() {
	for {
		conn, err := a.listener.Accept()
		if err != nil {
			a.mu.Lock()
			closed := a.closed
			a.mu.Unlock()
			if closed || errors.Is(err, net.ErrClosed) {
				return
			}
			a.n.log.once("cannot accept a connection: %v", err) // too many files, say
			select {
			case <-a.n.killed.Done():
				return
			case <-time.After(100 * time.Millisecond):
			}
			continue
		}
		if !a.add(conn) {
			conn.Close()
			continue
		}
		a.all.Go(func() {
			defer a.remove(conn)
			if err := a.serve(conn); err != nil {
				a.n.log.once("a connection from %s is closed: %v", hostOf(conn), err)
			}
		})
	}
}

func hostOf(conn net.Conn) string {
	host, _, err := net.SplitHostPort(conn.RemoteAddr().String())
	if err != nil {
		return "somewhere"
	}
	return host
}

func (a *acceptor) add(conn net.Conn) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return false
	}
	if len(a.open) >= len(a.n.c.System.Agents)+strangers {
		a.n.log.once("connections are refused: %d are open", len(a.open))
		return false
	}
	a.open[conn] = true
	return true
}

func (a *acceptor) remove(conn net.Conn) {
	conn.Close()
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.open, conn)
}

// serve reads a connection to its end. The error says what was wrong with it; nil
// if it was merely closed.
func (a *acceptor) serve(conn net.Conn) error {
	if err := conn.SetDeadline(time.Now().Add(helloTimeout)); err != nil {
		return nil
	}
	var h hello
	if err := readJSON(conn, &h); err != nil {
		return strange(err)
	}
	refused := a.n.refuses(h)
	var answer welcome
	if refused != nil {
		answer.Refused = refused.Error()
	}
	if err := writeJSON(conn, answer); err != nil || refused != nil {
		return refused
	}
	if err := conn.SetDeadline(time.Time{}); err != nil {
		return nil
	}
	me := a.replace(h.From, conn)
	defer close(me.done)
	return strange(a.read(conn, h))
}

// replace makes a connection the one of its peer. The one before is closed, and has
// been read to its end: a peer's messages stay in their order.
func (a *acceptor) replace(from model.ID, conn net.Conn) *reading {
	me := &reading{conn, make(chan struct{})}
	a.mu.Lock()
	old := a.peers[from]
	a.peers[from] = me
	a.mu.Unlock()
	if old != nil {
		old.conn.Close()
		<-old.done
	}
	return me
}

// read takes in a peer's messages.
func (a *acceptor) read(conn net.Conn, h hello) error {
	in := bufio.NewReaderSize(conn, 1<<16)
	for {
		b, err := readFrame(in, mostFrame)
		if err != nil {
			return err
		}
		f, err := parseFrame(b)
		if err != nil {
			return err
		}
		if _, err := a.n.machine.Codecs.Body.Decode(f.body); err != nil {
			return errors.New("a message that is none of the algorithm's")
		}
		if a.n.stopping.Err() != nil {
			return nil
		}
		a.n.inbox.push(received{
			from: h.From, body: f.body,
			ref: tracelog.Ref{Point: tracelog.Point{Agent: h.From, Incarnation: h.Incarnation, Seq: f.seq}, Index: f.index},
		})
	}
}

// strange is what is wrong with a connection, beyond that it was closed.
func strange(err error) error {
	var network net.Error
	switch {
	case errors.As(err, &network) && network.Timeout():
		return errors.New("it says nothing")
	case errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed), errors.As(err, &network):
		return nil
	case errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it ends within a frame")
	}
	return err
}

// close ends all connections and waits for it.
func (a *acceptor) close() {
	a.mu.Lock()
	a.closed = true
	for conn := range a.open { //tidy:unordered all are closed
		conn.Close()
	}
	a.mu.Unlock()
	a.listener.Close()
	a.all.Wait()
}
