package runner

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"

	"github.com/caulk-go/caulk/model"
)

// What goes over a connection between peers, in one direction only: frames, each
// of four bytes, big endian, that say how long it is, and so many bytes. The one who
// connects sends; what comes back is the answer to the first frame, and nothing
// more.
//
// The first frame is a hello in JSON; all others are messages: the seq of the step
// that sent it and its index among what that sent, as varints, then the body in the
// canonical encoding. The incarnation is that of the hello.

// mostFrame bounds a message's frame, and mostHello a hello and its answer.
const (
	mostFrame = 16 << 20
	mostHello = 64 << 10
)

const protocol = "caulk/peer/v1"

// hello says who connects, and what it speaks.
type hello struct {
	Protocol    string         `json:"protocol"`
	Algo        string         `json:"algo"`
	Agents      int            `json:"agents"`
	Params      map[string]int `json:"params"`
	Messages    string         `json:"messages"` // fingerprint of the type of bodies
	From        model.ID       `json:"from"`
	To          model.ID       `json:"to"`
	Incarnation int            `json:"incarnation"`
}

// welcome answers a hello.
type welcome struct {
	Refused string `json:"refused,omitempty"` // why; empty: go on
}

func (n *Node) hello(to model.ID) hello {
	s := &n.c.System
	return hello{protocol, s.Name, len(s.Agents), s.Params, n.machine.Codecs.Messages, n.c.Self, to, n.incarnation}
}

// refuses says why a hello is none for this node, or nil.
func (n *Node) refuses(h hello) error {
	mine := n.hello(0)
	switch {
	case h.Protocol != protocol:
		return fmt.Errorf("it speaks %q, and this node %s", h.Protocol, protocol)
	case h.Algo != mine.Algo || h.Agents != mine.Agents || !maps.Equal(h.Params, mine.Params):
		return fmt.Errorf("it runs %s with %d agents %v, and this node %s with %d %v", h.Algo, h.Agents, h.Params, mine.Algo, mine.Agents, mine.Params)
	case h.Messages != mine.Messages:
		return errors.New("its messages are of other types than this node's: run the same build everywhere")
	case h.To != n.c.Self:
		return fmt.Errorf("it looks for agent %d, and this is agent %d: look at the addresses", h.To, n.c.Self)
	case n.c.System.Has(h.From) != nil || h.From == n.c.Self || h.Incarnation < 0:
		return fmt.Errorf("it says that it is agent %d, incarnation %d", h.From, h.Incarnation)
	}
	return nil
}

// frame is a message on its way to a peer.
type frame struct {
	seq, index int
	body       []byte
}

// appendFrame appends the frame with its length.
func appendFrame(dst []byte, f frame) []byte {
	start := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	dst = binary.AppendUvarint(dst, uint64(f.seq))
	dst = binary.AppendUvarint(dst, uint64(f.index))
	dst = append(dst, f.body...)
	binary.BigEndian.PutUint32(dst[start:], uint32(len(dst)-start-4))
	return dst
}

// parseFrame is the inverse, of what follows the length. It shares memory with it.
func parseFrame(b []byte) (frame, error) {
	var numbers [2]int
	for i := range numbers {
		v, size := binary.Uvarint(b)
		if size <= 0 || v > 1<<53 {
			return frame{}, errors.New("a frame that is no message")
		}
		numbers[i], b = int(v), b[size:]
	}
	if numbers[0] == 0 {
		return frame{}, errors.New("a message of no step")
	}
	return frame{numbers[0], numbers[1], b}, nil
}

// readFrame reads what follows a length, of so many bytes at most. Memory is taken
// as bytes arrive: a length alone takes none.
func readFrame(r io.Reader, most int) ([]byte, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size > uint32(most) {
		return nil, fmt.Errorf("a frame of %d bytes: %d are the most", size, most)
	}
	if size <= 1<<16 {
		b := make([]byte, size)
		_, err := io.ReadFull(r, b)
		return b, unexpected(err)
	}
	b, err := io.ReadAll(io.LimitReader(r, int64(size)))
	if err == nil && len(b) < int(size) {
		err = io.ErrUnexpectedEOF
	}
	return b, err
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

func writeJSON(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
	_, err = w.Write(append(b, text...))
	return err
}

func readJSON(r io.Reader, v any) error {
	b, err := readFrame(r, mostHello)
	if err != nil {
		return err
	}
	if json.Unmarshal(b, v) != nil {
		return errors.New("it is no node of caulk")
	}
	return nil
}
