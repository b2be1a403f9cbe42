package layout

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestProgramIsWhatReadmeSays(t *testing.T) {
	sum := fmt.Sprintf("%x", sha256.Sum256(program))
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), sum) {
		t.Errorf("README.md does not name the SHA-256 of graphviz.wasm, %s", sum)
	}
}

func open(t *testing.T) *Engine {
	t.Helper()
	e, err := Open(t.Context(), Interpret)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

const small = `digraph { rankdir=LR; a -> b [label="there"]; b -> a [label="and back"]; }`

func TestRenderIsTheSameEveryTime(t *testing.T) {
	e := open(t)
	for _, format := range []string{"svg", "json"} {
		first, err := e.Render(t.Context(), []byte(small), format)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Contains(first, []byte("and back")) {
			t.Errorf("the label is not in the %s:\n%s", format, first)
		}
		again, err := e.Render(t.Context(), []byte(small), format)
		if err != nil || !bytes.Equal(again, first) {
			t.Errorf("drawn again as %s it differs: %v\n%s\nfirst it was\n%s", format, err, again, first)
		}
	}
}

func TestRenderSaysWhatIsWrong(t *testing.T) {
	e := open(t)
	tests := []struct{ dot, format, want string }{
		{`digraph { a -> `, "svg", "graphviz: cannot read the graph: Error: syntax error in line 1"},
		{``, "svg", "graphviz: cannot read the graph"},
		{small, "gif", `graphviz: cannot write the graph as gif: `},
	}
	for _, test := range tests {
		_, err := e.Render(t.Context(), []byte(test.dot), test.format)
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s as %s: error %v, want %s", test.dot, test.format, err, test.want)
		}
	}
}

// endless is a graph that takes Graphviz minutes.
func endless() []byte {
	var b bytes.Buffer
	b.WriteString("digraph {\n")
	for i := range 300 {
		for _, k := range []int{7, 31, 101} {
			fmt.Fprintf(&b, "%d -> %d [label=x];\n", i, i*k%299)
		}
	}
	b.WriteString("}")
	return b.Bytes()
}

func TestRenderEndsWithItsContext(t *testing.T) {
	e := open(t)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := e.Render(ctx, endless(), "svg"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want that the deadline was exceeded", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Render(cancelled, []byte(small), "svg"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that the context was cancelled", err)
	}
	if _, err := e.Render(t.Context(), []byte(small), "svg"); err != nil {
		t.Errorf("after a drawing that was broken off: %v", err)
	}
}

// Whoever links this package must not pay for it before drawing anything.
func TestNothingHappensBeforeMain(t *testing.T) {
	self := exec.Command(os.Args[0], "-test.run=^$")
	self.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := self.CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	inits := regexp.MustCompile(`(?m)^init (\S+) @.* (\d+) bytes, \d+ allocs$`).FindAllSubmatch(out, -1)
	if len(inits) == 0 {
		t.Fatalf("no init is traced:\n%s", out)
	}
	const much = 1 << 20 // go-graphviz takes 4 MB
	for _, i := range inits {
		if n, _ := strconv.Atoi(string(i[2])); n > much {
			t.Errorf("the init of %s takes %d bytes", i[1], n)
		}
	}
}
