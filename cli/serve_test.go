package cli_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/cli"
)

// A program that has no algorithm yet says so.
func TestServeWithoutAlgorithms(t *testing.T) {
	var out, errs bytes.Buffer
	status := cli.Run(t.Context(), nil, []string{"mine", "serve"}, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &errs})
	if want := "mine: say which algorithm with --algo NAME (mine algos lists them)\n"; status != 2 || errs.String() != want || out.Len() > 0 {
		t.Errorf("status %d, %q, %q; want 2 and %q", status, out.String(), errs.String(), want)
	}
}
