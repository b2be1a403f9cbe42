package cli

import (
	"bytes"
	"errors"
	"testing"
)

// Who waits for a search is told once that it is not kept.
func TestMeterWarnsOnce(t *testing.T) {
	var b bytes.Buffer
	m := newMeter(&b)
	for _, err := range []error{nil, errors.New("the disk is full"), errors.New("the disk is full"), nil} {
		m.warn("caulk", err)
	}
	if want := "caulk: the disk is full\n"; b.String() != want {
		t.Errorf("%q, not %q", b.String(), want)
	}
}
