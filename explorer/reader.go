package explorer

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/caulk-go/caulk/internal/wholefile"
	"github.com/caulk-go/caulk/trace"
)

// Checkpoint is what a checkpoint tells of the search that it belongs to.
type Checkpoint struct {
	Setting    trace.Setting
	Properties []string // those that are checked
	KeepGoing  bool
	Reduce     []Reduction
	States     int64   // found so far
	Seconds    float64 // taken so far
}

// ReadCheckpoint reads what a checkpoint belongs to. The rest of the file is
// not looked at: whether a search can go on from it, Explore says.
func ReadCheckpoint(name string) (Checkpoint, error) {
	f, err := os.Open(name)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("cannot read %s: %w", name, wholefile.Bare(err))
	}
	defer f.Close()
	h, err := (&checkpointReader{Reader: bufio.NewReader(f)}).header()
	if err != nil {
		return Checkpoint{}, cannotGoOn(name, err)
	}
	c := Checkpoint{Setting: h.Setting, Properties: []string{}, KeepGoing: h.KeepGoing, States: h.States, Seconds: h.Seconds}
	for _, r := range Reductions() {
		if slices.Contains(h.Reduce, r.String()) {
			c.Reduce = append(c.Reduce, r)
		}
	}
	for _, p := range h.Properties {
		c.Properties = append(c.Properties, p.Name)
	}
	return c, nil
}

// cannotGoOn says why a checkpoint is refused. Errors of the file itself keep
// their own words.
func cannotGoOn(name string, err error) error {
	if bare := wholefile.Bare(err); bare != err {
		return fmt.Errorf("cannot read %s: %w", name, bare)
	}
	return fmt.Errorf("cannot go on from %s: %w", name, err)
}

// Why a file is refused before its content matters.
var (
	errNoCheckpoint = errors.New("it is not a checkpoint")
	errCutOff       = errors.New("it is cut off: its end is missing")
	errDamaged      = errors.New("it is damaged: its checksum is wrong")
	errSenseless    = errors.New("it holds what caulk does not write")
	errEngine       = errors.New("it was written by another version of caulk: search anew, or with that version")
)

// checkpointReader reads the parts of a checkpoint. The first error stays, and
// everything is zero from there on.
type checkpointReader struct {
	*bufio.Reader
	err error
}

// openCheckpoint opens a file that is whole and undamaged.
func openCheckpoint(name string) (*os.File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	if err := checkWhole(f); err != nil {
		f.Close()
		return nil, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return f, err
}

// checkWhole looks at a file's first line, its end and its checksum.
func checkWhole(f *os.File) error {
	head := make([]byte, 64)
	n, err := io.ReadFull(f, head)
	if err != nil && n == 0 || !errors.Is(err, io.ErrUnexpectedEOF) && err != nil {
		return errorOr(err, errNoCheckpoint)
	}
	line, _, _ := strings.Cut(string(head[:n]), "\n")
	if err := checkSchema(line); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	tail := make([]byte, len(checkpointEnd)+sha256.Size)
	body := info.Size() - sha256.Size
	if info.Size() < int64(len(tail)) {
		return errCutOff
	}
	if _, err := f.ReadAt(tail, info.Size()-int64(len(tail))); err != nil {
		return err
	}
	if !bytes.HasPrefix(tail, []byte(checkpointEnd)) {
		return errCutOff
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, body)); err != nil {
		return err
	}
	if !bytes.Equal(sum.Sum(nil), tail[len(checkpointEnd):]) {
		return errDamaged
	}
	return nil
}

// errorOr is an error of the file, or the other where the file just ended.
func errorOr(err, other error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return other
	}
	return err
}

func checkSchema(line string) error {
	switch {
	case line == CheckpointSchema:
		return nil
	case strings.HasPrefix(line, checkpointFamily):
		return fmt.Errorf("it is a %.40q, and this caulk reads %s", line, CheckpointSchema)
	}
	return errNoCheckpoint
}

// header reads the first two lines.
func (r *checkpointReader) header() (h checkpointHeader, err error) {
	line, err := r.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return h, err
	}
	if err := checkSchema(strings.TrimSuffix(line, "\n")); err != nil {
		return h, err
	}
	text, err := r.ReadBytes('\n')
	if err != nil {
		return h, errorOr(err, errCutOff)
	}
	if err := json.Unmarshal(text, &h); err != nil {
		return h, errSenseless
	}
	return h, nil
}

func (r *checkpointReader) fail(err error) {
	if r.err == nil {
		r.err = errorOr(err, errSenseless)
	}
}

// number reads a number of at most so much.
func (r *checkpointReader) number(most int) int {
	if r.err != nil {
		return 0
	}
	n, err := binary.ReadUvarint(r)
	if err == nil && n > uint64(most) {
		err = errSenseless
	}
	if err != nil {
		r.fail(err)
		return 0
	}
	return int(n)
}

func (r *checkpointReader) bytes(into []byte) {
	if r.err != nil {
		return
	}
	if _, err := io.ReadFull(r, into); err != nil {
		r.fail(err)
	}
}

// question reads what was asked of one of so many agents.
func (r *checkpointReader) question(agents int) (q question) {
	q.agent = r.number(agents - 1)
	q.state = uint32(r.number(1<<32 - 1))
	q.msg = r.number(1<<32-1) - 1
	r.bytes(q.answers[:])
	return q
}

func readKey[K words](r *checkpointReader, k *K) {
	if r.err != nil {
		return
	}
	b, err := r.Peek(8 * len(*k))
	if err != nil {
		r.fail(err)
		return
	}
	for i := 0; i < len(*k); i++ {
		(*k)[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	r.Discard(len(b))
}

// queue reads a queue over so many states of each partition, which it gives.
func (r *checkpointReader) queue() (q queue, states [partitions]uint32) {
	n := r.number(1<<32 - 1)
	for range n {
		part, size := r.number(partitions-1), r.number(maxStates)
		start := states[part]
		if r.err == nil && (size == 0 || size > maxStates-int(start)) {
			r.fail(errSenseless)
		}
		if r.err != nil {
			return queue{}, states
		}
		states[part] += uint32(size)
		q.runs = append(q.runs, run{uint32(part), start, states[part]})
	}
	for range r.number(len(q.runs) + 1) {
		q.starts = append(q.starts, r.number(len(q.runs)))
	}
	q.taken, q.offset = r.number(len(q.runs)), uint32(r.number(maxStates))
	if r.err == nil && !q.sound() {
		r.fail(errSenseless)
	}
	return q, states
}

// sound says whether the levels follow on each other, each with states, and
// what was taken belongs to the last one but one.
func (q *queue) sound() bool {
	last := len(q.starts) - 1
	if last < 0 || q.starts[0] != 0 {
		return false
	}
	for d := 1; d <= last; d++ {
		if q.starts[d] <= q.starts[d-1] {
			return false
		}
	}
	if last == 0 {
		return q.taken == 0 && q.offset == 0
	}
	first, end := q.starts[last-1], q.starts[last]
	return first <= q.taken && q.taken <= end &&
		(q.offset == 0 || q.taken < end && int(q.offset) < q.runs[q.taken].states())
}
