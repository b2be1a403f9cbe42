package printable_test

import (
	"testing"

	"github.com/caulk-go/caulk/internal/printable"
)

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                  "",
		"{Prepare;1->3} é→": "{Prepare;1->3} é→",
		"a\x1b[2J\nb\x00":   "a\uFFFD[2J\uFFFDb\uFFFD",
		"bad \xff":          "bad \uFFFD",
	} {
		if got := printable.Line(text); got != want {
			t.Errorf("%q became %q, not %q", text, got, want)
		}
	}
}
