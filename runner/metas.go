package runner

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"os"
)

// A bbolt file has two meta pages, which its commits write in turn; the one with
// the higher transaction leads to the data. Where one is damaged, bbolt goes by the
// other: it may be the older, and the last commit is lost without a word. For bbolt
// that is what a crash in the middle of a write may leave. But a meta is far
// smaller than a sector, which disks write as a whole; so a node takes it for
// damage, and does not forget what it has promised.
//
// The layout is that of bbolt's format version 2, in the machine's byte order:
// after the page's header the magic, the version, the page size and flags, of 4
// bytes each; the root, a sequence, the freelist, the high water mark and the
// transaction, of 8 each; and the FNV-1a checksum of these.
const (
	metaAt       = 16 // within its page
	metaSize     = 64
	metaPageSize = 8
	metaChecksum = 56
)

// checkMetas says whether both meta pages of a file are whole.
func checkMetas(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	page := int64(0)
	for number := range int64(2) {
		var meta [metaSize]byte
		_, err := f.ReadAt(meta[:], number*page+metaAt)
		switch {
		case errors.Is(err, io.EOF):
			return errors.New("it is cut off")
		case err != nil:
			return err
		}
		sum := fnv.New64a()
		sum.Write(meta[:metaChecksum])
		if sum.Sum64() != binary.NativeEndian.Uint64(meta[metaChecksum:]) {
			return fmt.Errorf("the checksum of its meta page %d is wrong", number)
		}
		page = int64(binary.NativeEndian.Uint32(meta[metaPageSize:]))
	}
	return nil
}
