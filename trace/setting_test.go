package trace_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
)

func TestSettingsOfAllAlgorithmsMakeThemAgain(t *testing.T) {
	for _, a := range algos.All() {
		sys, err := a.System(model.Config{})
		if err != nil {
			t.Fatal(err)
		}
		sys.Network, sys.Wipe = model.Set, []model.ID{2, 1, 2}
		setting := trace.SettingOf(&sys)
		made, err := setting.System(&a)
		if err != nil {
			t.Errorf("%s: %v", a.Name, err)
			continue
		}
		if diff := cmp.Diff(setting, trace.SettingOf(&made)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", a.Name, diff)
		}
		if made.Network != model.Set || !slices.Equal(made.Wipe, []model.ID{1, 2}) {
			t.Errorf("%s: the network is a %s, and wiped are %v", a.Name, made.Network, made.Wipe)
		}
	}
}

func TestSettingOfSharesNothing(t *testing.T) {
	sys := offices("2:a")
	sys.Wipe = []model.ID{3, 2}
	setting := trace.SettingOf(&sys)
	want := trace.Setting{Algo: "office", Agents: 3, Params: map[string]int{}, Starts: map[model.ID]string{1: "2:a"}, Network: "bag", Wipe: []model.ID{2, 3}}
	if diff := cmp.Diff(want, setting); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	setting.Starts[2], setting.Wipe[0] = "spoilt", 1
	if len(sys.Starts) != 1 || sys.Wipe[0] != 3 {
		t.Errorf("the system changes with the setting: %v, %v", sys.Starts, sys.Wipe)
	}
}

func TestSettingsThatCannotBeMade(t *testing.T) {
	cases := []struct {
		name   string
		change func(*trace.Setting)
		want   string
	}{
		{"a network", func(s *trace.Setting) { s.Network = "net" }, `there is no network "net": it is one of bag, set`},
		{"a wipe", func(s *trace.Setting) { s.Wipe = []model.ID{9} }, "cannot wipe agent 9: the agents are 1 to 3"},
		{"a start", func(s *trace.Setting) { s.Starts = map[model.ID]string{7: "x"} }, "cannot start agent 7: the agents are 1 to 3"},
		{"a value", func(s *trace.Setting) { s.Starts = map[model.ID]string{1: "\xff"} }, `cannot start agent 1 with "\xff": the value must be UTF-8`},
		{"a parameter", func(s *trace.Setting) { s.Params = map[string]int{"size": 1} }, `mark2 has no parameter "size": it has none`},
		{"a crowd", func(s *trace.Setting) { s.Agents = 1e9 }, "mark2 takes 1 to 1000 agents, not 1000000000"},
	}
	a, err := model.FindAlgorithm(algos.All(), "mark2")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			setting := mark2()
			c.change(&setting)
			if _, err := setting.System(a); err == nil || err.Error() != c.want {
				t.Errorf("the error is %v\nnot %s", err, c.want)
			}
		})
	}
}

func TestAnEmptyNetworkLeavesTheSystemsOwn(t *testing.T) {
	sys := offices("")
	sys.Network = model.Set
	if err := (trace.Setting{}).Apply(&sys); err != nil {
		t.Fatal(err)
	}
	if sys.Network != model.Set || len(sys.Starts) != 0 || len(sys.Wipe) != 0 {
		t.Errorf("the network is a %s; started are %v and wiped %v", sys.Network, sys.Starts, sys.Wipe)
	}
}

func TestFlags(t *testing.T) {
	setting := trace.Setting{
		Algo: "a", Agents: 12, Network: "set", Wipe: []model.ID{3, 1},
		Params: map[string]int{"managers": 9, "clients": -1},
		Starts: map[model.ID]string{10: "two words", 2: ""},
	}
	want := "caulk explore --algo a --agents 12 --param clients=-1 --param managers=9 --start 2= --start '10=two words' --network set --wipe 1,3"
	if got := trace.CommandLine(append([]string{"caulk", "explore"}, setting.Flags()...)...); got != want {
		t.Errorf("the command is\n%s\nnot\n%s", got, want)
	}
	if got := trace.CommandLine(trace.Setting{Algo: "a", Agents: 1}.Flags()...); got != "--algo a --agents 1" {
		t.Errorf("the flags are %s", got)
	}
}

// TestCommandLine lets shells read what is quoted.
func TestCommandLine(t *testing.T) {
	words := []string{"plain-1,2=x", "", "two words", "it's", `"$HOME" \n`, "*?[a]~#!;&|<>(){}", "über", "\xff"}
	control := []string{"a\nb\t\x7f\x01", `'\` + "\n1", "$'\x1b"}
	cases := []struct {
		shell string
		words []string
	}{
		{"sh", words},
		{"bash", append(slices.Clone(words), control...)}, // sh may be too old for control characters
	}
	for _, c := range cases {
		t.Run(c.shell, func(t *testing.T) {
			if _, err := exec.LookPath(c.shell); err != nil {
				t.Skip(err)
			}
			line := trace.CommandLine(append([]string{"printf", `%s\0`}, c.words...)...)
			if strings.ContainsAny(line, "\n\t\x7f\x01\x1b") {
				t.Errorf("control characters are left in %q", line)
			}
			out, err := exec.Command(c.shell, "-c", line).Output()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.words, strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")); diff != "" {
				t.Errorf("the shell reads (-want +got):\n%s", diff)
			}
		})
	}
}
