package rsync

import "testing"

// The rolling sum is the weak sum of the block that it rolled to.
func TestRoll(t *testing.T) {
	for _, file := range files(5) {
		for at := 0; at+3 <= len(file); at++ {
			if got := roll(weak(file[at:at+2]), file[at], file[at+2]); got != weak(file[at+1:at+3]) {
				t.Errorf("from place %d of %s the sum rolls to %d, not %d", at, file, got, weak(file[at+1:at+3]))
			}
		}
	}
}

// What the strong sums find, put together, is the file.
func TestDeltaMakesTheFile(t *testing.T) {
	v := Variant{StrongSums: true}
	for block := 1; block <= 3; block++ {
		g := getter{v, block, false}
		for _, old := range files(4) {
			_, sent := g.begin(File{Content: old})
			for _, file := range files(4) {
				ops := giver{v, block}.delta(file, sent[0].Body.(Signature).Sums)
				if made, _ := g.apply(old, ops); made != file {
					t.Errorf("of %q, by %v, comes %q, not %q", old, ops, made, file)
				}
			}
		}
	}
}
