package explorer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/caulk-go/caulk/internal/wholefile"
)

// keeper writes checkpoints as the search goes on, each in place of the one
// before. A nil keeper writes none.
type keeper struct {
	name, path string
	every      time.Duration
	due        time.Time // no checkpoint before
	err        error     // why the last could not be written

	// closed says that the search has left the path on which it would be
	// without --max-states: nothing is written any more.
	closed bool
}

// newKeeper makes sure that the file can be written, and that nothing but a
// checkpoint is lost by it. It gives nil if no checkpoint is asked for.
func newKeeper(o *Options) (*keeper, error) {
	if o.Search != BFS && (o.Checkpoint != "" || o.Resume != "") {
		return nil, errors.New("checkpoints are of searches breadth first only")
	}
	if o.Checkpoint == "" {
		return nil, nil
	}
	k := &keeper{name: o.Checkpoint, path: wholefile.Follow(o.Checkpoint), every: o.CheckpointEvery}
	if k.every <= 0 {
		k.every = time.Minute
	}
	k.due = time.Now().Add(k.every)
	info, err := os.Stat(k.path)
	if err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return nil, wholefile.CannotWrite(k.name, errors.New("it is not a file"))
	}
	if err := wholefile.Probe(k.path); err != nil {
		return nil, wholefile.CannotWrite(k.name, err)
	}
	if err == nil && info.Size() > 0 && !isCheckpoint(k.path) {
		return nil, wholefile.CannotWrite(k.name, errors.New("it is there and is no checkpoint: choose another name, or remove it"))
	}
	return k, nil
}

func isCheckpoint(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(checkpointFamily))
	_, err = io.ReadFull(f, head)
	return err == nil && bytes.Equal(head, []byte(checkpointFamily))
}

// save writes a checkpoint. One that cannot be written leaves the last one as
// it is, and does not stop the search.
func (k *keeper) save(s *search, space packed) {
	if k == nil || k.closed {
		return
	}
	began := time.Now()
	k.err = k.write(s, space)
	// Checkpoints take a tenth of the time at most.
	now := time.Now()
	k.due = now.Add(max(k.every, 10*now.Sub(began)))
}

func (k *keeper) saveWhenDue(s *search, space packed) {
	if k != nil && !k.closed && !time.Now().Before(k.due) {
		k.save(s, space)
	}
}

// saveBeforeBound is for when batches are to shrink, so that the search stops
// close to --max-states. From there on it meets states in another order than it
// would without that bound, and what is numbered in order of discovery would be
// numbered otherwise: so the last checkpoint is of before.
func (k *keeper) saveBeforeBound(s *search, space packed) {
	if k != nil {
		k.save(s, space)
		k.closed = true
	}
}

func (k *keeper) write(s *search, space packed) error {
	f, err := wholefile.Create(k.path)
	if err != nil {
		return err
	}
	err = writeCheckpoint(f, s, space)
	if err == nil {
		err = f.Sync()
	}
	if err != nil {
		return errors.Join(err, f.Discard())
	}
	return f.Commit()
}

// CheckpointError says that a search is over and its report is good, but that
// its last checkpoint could not be written. The one before it, if there is
// any, is as it was.
type CheckpointError struct {
	File string
	Err  error
}

func (e *CheckpointError) Error() string {
	return fmt.Sprintf("cannot write the checkpoint %s: %s: the search cannot be resumed from where it ended", e.File, wholefile.Bare(e.Err))
}

func (e *CheckpointError) Unwrap() error { return e.Err }

// failure is why the last checkpoint could not be written, or nil.
func (k *keeper) failure() error {
	if k == nil || k.err == nil {
		return nil
	}
	return &CheckpointError{k.name, k.err}
}
