package cli

import (
	"slices"
	"strings"
	"testing"

	urfave "github.com/urfave/cli/v2"
)

func TestSortArguments(t *testing.T) {
	command := &urfave.Command{Name: "do", Flags: []urfave.Flag{
		&urfave.StringFlag{Name: "one"}, &urfave.StringSliceFlag{Name: "many"}, &urfave.BoolFlag{Name: "yes"},
	}}
	tests := []struct {
		args, flags, arguments string
		err                    string
	}{
		{"", "", "", ""},
		{"a b", "", "a b", ""},
		{"a --one 1 b --yes c", "--one=1 --yes", "a b c", ""},
		{"--one=1 a", "--one=1", "a", ""},
		{"-one 1 -yes", "--one=1 --yes", "", ""},
		{"--one=a=b", "--one=a=b", "", ""},
		{"--one -1", "--one=-1", "", ""},
		{"--one - -", "--one=-", "-", ""},
		{"--one=--yes", "--one=--yes", "", ""},
		{"--many a,b --many c", "--many=a,b --many=c", "", ""},
		{"--yes -- --one -x --", "--yes", "--one -x --", ""},
		{"--one", "", "", "--one needs a value"},
		{"--one=", "", "", "--one needs a value"},
		{"--one --yes", "", "", "--one needs a value"},
		{"--one --many=a", "", "", "--one needs a value"},
		{"--one -- a", "", "", "--one needs a value"},
		{"--one 1 --one 1", "", "", "--one is given twice"},
		{"--yes --yes", "", "", "--yes is given twice"},
		{"--yes=true", "", "", `--yes takes no value, but "true" is given`},
		{"--two 2", "", "", "do has no flag --two"},
		{"--man 2", "", "", "do has no flag --man: did you mean --many?"},
		{"---one 2", "", "", "do has no flag ---one: did you mean --one?"},
	}
	for _, test := range tests {
		flags, arguments, err := sortArguments(command, strings.Fields(test.args))
		if text(err) != test.err {
			t.Errorf("%q: error %q, not %q", test.args, text(err), test.err)
			continue
		}
		if strings.Join(flags, " ") != test.flags || strings.Join(arguments, " ") != test.arguments {
			t.Errorf("%q: flags %q and arguments %q", test.args, flags, arguments)
		}
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestNearest(t *testing.T) {
	names := []string{"mark0", "mark1", "mark2", "mark2b", "mark3", "twophase", "max-states", "max-time"}
	tests := []struct{ name, want string }{
		{"mark1", "mark1 mark0 mark2"},
		{"mark2c", "mark2 mark2b mark0"},
		{"MARK2B", "mark2b mark2 mark0"},
		{"tpwohase", "twophase"},
		{"twophas", "twophase"},
		{"max", "max-time max-states"},
		{"paxos", ""},
		{"", ""},
		{"m", ""},
		{"zzz", ""},
	}
	for _, test := range tests {
		if got := strings.Join(nearest(test.name, names), " "); got != test.want {
			t.Errorf("nearest to %q: %q, not %q", test.name, got, test.want)
		}
	}
}

func TestDistance(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"", "", 0}, {"a", "", 1}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "abd", 1}, {"kitten", "sitting", 3}, {"größe", "grosse", 3},
	}
	for _, test := range tests {
		if got := distance(test.a, test.b); got != test.want {
			t.Errorf("distance(%q, %q) = %d, not %d", test.a, test.b, got, test.want)
		}
		if there, back := distance(test.a, test.b), distance(test.b, test.a); there != back {
			t.Errorf("distance(%q, %q) is %d one way and %d the other", test.a, test.b, there, back)
		}
	}
}

func TestEnumerate(t *testing.T) {
	for _, test := range []struct{ words, want string }{{"", ""}, {"a", "a"}, {"a b", "a or b"}, {"a b c", "a, b or c"}} {
		if got := enumerate(strings.Fields(test.words), "or"); got != test.want {
			t.Errorf("%q: %q", test.words, got)
		}
	}
}

func TestFill(t *testing.T) {
	got := fill([]string{"aaa", "bbb", "cccccccccc", "d"}, " ", 7)
	if want := []string{"aaa bbb", "cccccccccc", "d"}; !slices.Equal(got, want) {
		t.Errorf("%q, not %q", got, want)
	}
	if got := fill(nil, " ", 7); got != nil {
		t.Errorf("%q from nothing", got)
	}
}

func TestWrap(t *testing.T) {
	long := strings.Repeat("word ", 20)
	got := wrap("\nOne two\nthree.\n\n"+long+"\n    as  it is\nend\n", 2)
	want := "  One two three.\n\n" +
		"  " + strings.TrimSpace(strings.Repeat("word ", 15)) + "\n" +
		"  " + strings.TrimSpace(strings.Repeat("word ", 5)) + "\n" +
		"      as  it is\n  end\n"
	if got != want {
		t.Errorf("%s\nnot\n%s", got, want)
	}
}
