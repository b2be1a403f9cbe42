package runner

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/caulk-go/caulk/internal/machine"
	"github.com/caulk-go/caulk/internal/wholefile"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace/tracelog"
)

// DiskName is what the file is called, in the node's folder, that holds what must
// survive.
const DiskName = "node.db"

// record is all that a node's disk knows.
type record struct {
	incarnation int            // that runs, or ran last
	durable     tracelog.Point // the last step that the disk knows of
	kept        []byte         // what the agent persisted by then, as a state; nil for an agent that keeps nothing
}

// disk holds one record. Save returns once the record is on the disk for good;
// when it fails, what is there is unknown, and nothing may be saved any more.
type disk interface {
	load() (r record, found bool)
	save(r record) error
	close() error
}

// openDisk opens what is in the node's folder. What is no file of this agent, or
// is damaged, is refused and left as it is.
func openDisk(c *Config, m *machine.Machine) (disk, error) {
	if c.Data == "" {
		if c.System.Node(c.Self).Persists() {
			return nil, fmt.Errorf("agent %d keeps something over a restart: say in which folder (Data)", c.Self)
		}
		return &memory{}, nil
	}
	if err := os.MkdirAll(c.Data, 0o777); err != nil {
		return nil, fmt.Errorf("cannot use the folder %s: %w", c.Data, wholefile.Bare(err))
	}
	name := filepath.Join(c.Data, DiskName)
	identity := identityOf(c, m)
	if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
		if err := createBolt(name, identity); err != nil {
			return nil, fmt.Errorf("cannot write %s: %w", name, wholefile.Bare(err))
		}
	}
	return openBolt(name, identity, os.OpenFile)
}

// memory is the disk of an agent that keeps nothing, where there is no folder.
type memory struct{}

func (*memory) load() (record, bool) { return record{}, false }
func (*memory) save(record) error    { return nil }
func (*memory) close() error         { return nil }

// identity says whose file it is. Another agent's is foreign.
type identity struct {
	Schema string         `json:"schema"`
	Algo   string         `json:"algo"`
	Agents int            `json:"agents"`
	Params map[string]int `json:"params"`
	Agent  int            `json:"agent"`
	States string         `json:"states"` // fingerprint of the type of its states
}

const diskSchema = "caulk/node/v1"

func identityOf(c *Config, m *machine.Machine) identity {
	return identity{diskSchema, c.System.Name, len(c.System.Agents), c.System.Params, int(c.Self), m.Codecs.StateTypes[c.Self-1]}
}

// differs says what another identity has that this one has not.
func (i identity) differs(other identity) error {
	switch {
	case other.Schema != i.Schema:
		return fmt.Errorf("its format is %q, and this version reads %s", other.Schema, i.Schema)
	case other.Algo != i.Algo || other.Agent != i.Agent || other.Agents != i.Agents:
		return fmt.Errorf("it belongs to agent %d of %d of %s, not to agent %d of %d of %s", other.Agent, other.Agents, other.Algo, i.Agent, i.Agents, i.Algo)
	case fmt.Sprint(other.Params) != fmt.Sprint(i.Params): // fmt sorts keys
		return fmt.Errorf("it was written with the parameters %v, not %v", other.Params, i.Params)
	case other.States != i.States:
		return errors.New("the agent's states are of another type than when it was written: use the build that wrote it")
	}
	return nil
}

var (
	bucketName  = []byte("caulk")
	identityKey = []byte("identity")
	recordKey   = []byte("record")
)

// createBolt makes a file that says whose it is. A file that bears the name is
// always complete: so one that is not is damaged.
func createBolt(name string, i identity) error {
	fresh := name + ".new"
	if err := os.Remove(fresh); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	db, err := bbolt.Open(fresh, 0o666, &bbolt.Options{Timeout: time.Second})
	if err != nil {
		return err
	}
	text, err := json.Marshal(i)
	if err != nil {
		return errors.Join(err, db.Close())
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		b, err := tx.CreateBucket(bucketName)
		if err != nil {
			return err
		}
		return b.Put(identityKey, text)
	})
	if err := errors.Join(err, db.Close()); err != nil {
		return err
	}
	if err := os.Rename(fresh, name); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(name))
}

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// bolt is the disk of a real node.
type bolt struct {
	name  string
	db    *bbolt.DB
	first record
	found bool
	err   error // of a save that failed: there is no other after it
}

// openFile is os.OpenFile, but for tests of disks that fail.
type openFile func(name string, flag int, mode os.FileMode) (*os.File, error)

func openBolt(name string, want identity, open openFile) (d *bolt, err error) {
	// A damaged file may lead bbolt anywhere: into a panic, or beyond the end of what
	// is mapped.
	old := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(old)
	var db *bbolt.DB
	damaged := func(why any) error {
		return fmt.Errorf("%s is damaged, or no file of a caulk node (%v): it is left as it is", name, why)
	}
	defer func() {
		if p := recover(); p != nil {
			d, err = nil, damaged(p)
			if db != nil {
				db.Close() // and its lock
			}
		}
	}()
	switch err := checkMetas(name); {
	case errors.Is(err, os.ErrPermission):
		return nil, fmt.Errorf("cannot open %s: %w", name, wholefile.Bare(err))
	case err != nil:
		return nil, damaged(wholefile.Bare(err))
	}
	db, err = bbolt.Open(name, 0o666, &bbolt.Options{Timeout: time.Second, OpenFile: open})
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, fmt.Errorf("%s is in use by another process: a node's folder is for one process at a time", name)
	case errors.Is(err, os.ErrPermission):
		return nil, fmt.Errorf("cannot open %s: %w", name, wholefile.Bare(err))
	case err != nil:
		return nil, damaged(wholefile.Bare(err))
	}
	d = &bolt{name: name, db: db}
	if err := d.read(want); err != nil {
		db.Close()
		return nil, damaged(err)
	}
	return d, nil
}

// read reads all that is there.
func (d *bolt) read(want identity) error {
	return d.db.View(func(tx *bbolt.Tx) error {
		b := tx.Bucket(bucketName)
		if b == nil {
			return errors.New("what caulk writes is not in it")
		}
		var got identity
		if err := json.Unmarshal(b.Get(identityKey), &got); err != nil {
			return errors.New("it does not say whose it is")
		}
		if err := want.differs(got); err != nil {
			return err
		}
		text := b.Get(recordKey)
		if text == nil {
			return nil // the node ended before its first step was durable
		}
		var err error
		d.first, err = parseRecord(text)
		d.first.durable.Agent, d.found = model.ID(want.Agent), true
		return err
	})
}

func (d *bolt) load() (record, bool) { return d.first, d.found }

func (d *bolt) save(r record) error {
	if d.err != nil {
		return d.err
	}
	err := d.db.Update(func(tx *bbolt.Tx) error { return tx.Bucket(bucketName).Put(recordKey, r.text()) })
	if err != nil {
		// What a failed fsync has left is unknown, and the next one may claim success.
		d.err = fmt.Errorf("cannot make %s durable: %w; what it has promised by then, it keeps, and it does nothing more", d.name, wholefile.Bare(err))
	}
	return d.err
}

func (d *bolt) close() error {
	if err := d.db.Close(); err != nil && d.err == nil {
		return fmt.Errorf("cannot close %s: %w", d.name, wholefile.Bare(err))
	}
	return nil
}

// text is a checksum, three numbers, and what is kept.
func (r record) text() []byte {
	text := make([]byte, sha256.Size, sha256.Size+32+len(r.kept))
	for _, n := range []int{r.incarnation, r.durable.Incarnation, r.durable.Seq} {
		text = binary.AppendUvarint(text, uint64(n))
	}
	text = append(text, r.kept...)
	sum := sha256.Sum256(text[sha256.Size:])
	copy(text, sum[:])
	return text
}

func parseRecord(text []byte) (record, error) {
	damage := errors.New("its checksum is wrong")
	if len(text) < sha256.Size {
		return record{}, damage
	}
	rest := text[sha256.Size:]
	if sum := sha256.Sum256(rest); !bytes.Equal(sum[:], text[:sha256.Size]) {
		return record{}, damage
	}
	var numbers [3]int
	for i := range numbers {
		n, size := binary.Uvarint(rest)
		if size <= 0 {
			return record{}, damage
		}
		numbers[i], rest = int(n), rest[size:]
	}
	return record{numbers[0], tracelog.Point{Incarnation: numbers[1], Seq: numbers[2]}, bytes.Clone(rest)}, nil
}
