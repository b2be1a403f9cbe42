package trace_test

import (
	"maps"
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
		sys.Lossy, sys.Crash, sys.OtherStarts = true, []model.ID{1}, []map[model.ID]string{nil}
		sys.Budgets = map[model.Budget]int{model.Wipes: 1, model.Crashes: 0, model.Drops: 3}
		setting := trace.SettingOf(&sys)
		made, err := setting.System(&a)
		if err != nil {
			t.Errorf("%s: %v", a.Name, err)
			continue
		}
		if diff := cmp.Diff(setting, trace.SettingOf(&made)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", a.Name, diff)
		}
		if made.Network != model.Set || !made.Lossy || !slices.Equal(made.Wipe, []model.ID{1, 2}) || !maps.Equal(made.Budgets, sys.Budgets) {
			t.Errorf("%s: the network is a %s, lossy is %t, wiped are %v and the budgets %v", a.Name, made.Network, made.Lossy, made.Wipe, made.Budgets)
		}
	}
}

func TestSettingOfSharesNothing(t *testing.T) {
	sys := offices("2:a")
	sys.Wipe = []model.ID{3, 2}
	sys.OtherStarts = []map[model.ID]string{nil, {2: "1:b"}}
	sys.Budgets = map[model.Budget]int{model.Wipes: 2, model.Duplicates: 0}
	setting := trace.SettingOf(&sys)
	want := trace.Setting{
		Algo: "office", Agents: 3, Params: map[string]int{}, Starts: map[model.ID]string{1: "2:a"}, Network: "bag",
		Wipe: []model.ID{2, 3}, Restart: []model.ID{}, Crash: []model.ID{}, Budgets: map[string]int{"wipes": 2, "duplicates": 0},
		OtherStarts: []map[model.ID]string{{}, {2: "1:b"}},
	}
	if diff := cmp.Diff(want, setting); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	setting.Starts[2], setting.Wipe[0], setting.Budgets["wipes"], setting.OtherStarts[1][2] = "spoilt", 1, 9, "spoilt"
	if len(sys.Starts) != 1 || sys.Wipe[0] != 3 || sys.Budgets[model.Wipes] != 2 || sys.OtherStarts[1][2] != "1:b" {
		t.Errorf("the system changes with the setting: %v, %v, %v, %v", sys.Starts, sys.Wipe, sys.Budgets, sys.OtherStarts)
	}
}

func TestSettingsThatCannotBeMade(t *testing.T) {
	cases := []struct {
		name   string
		change func(*trace.Setting)
		want   string
	}{
		{"a network", func(s *trace.Setting) { s.Network = "net" }, `there is no network "net": it is one of bag, set, fifo`},
		{"a wipe", func(s *trace.Setting) { s.Wipe = []model.ID{9} }, "cannot wipe agent 9: the agents are 1 to 3"},
		{"a restart", func(s *trace.Setting) { s.Restart = []model.ID{9} }, "cannot restart agent 9: the agents are 1 to 3"},
		{"a crash", func(s *trace.Setting) { s.Crash = []model.ID{9} }, "cannot crash agent 9: the agents are 1 to 3"},
		{"a budget", func(s *trace.Setting) { s.Budgets = map[string]int{"money": 1} }, `there is no budget "money": it is one of wipes, restarts, crashes, drops, duplicates, timeouts`},
		{"a budget of what cannot happen", func(s *trace.Setting) { s.Budgets = map[string]int{"drops": 1} }, "a budget of 1 drops: the network loses nothing unless it is lossy"},
		{"another start", func(s *trace.Setting) { s.OtherStarts = []map[model.ID]string{{7: "x"}} }, "cannot start agent 7: the agents are 1 to 3"},
		{"a start", func(s *trace.Setting) { s.Starts = map[model.ID]string{7: "x"} }, "cannot start agent 7: the agents are 1 to 3"},
		{"a value", func(s *trace.Setting) { s.Starts = map[model.ID]string{1: "\xff"} }, `cannot start agent 1 with "\xff": the value must be UTF-8`},
		{"another value", func(s *trace.Setting) { s.OtherStarts = []map[model.ID]string{{1: "y"}, {2: "\xff", 1: "y"}} }, `cannot start agent 2 with "\xff": the value must be UTF-8`},
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

// What the setting does not say, the system then has not: but a network it has.
func TestAnEmptySettingLeavesTheNetworkAlone(t *testing.T) {
	sys := offices("")
	sys.Network, sys.Lossy, sys.Crash = model.Set, true, []model.ID{1}
	sys.Budgets, sys.OtherStarts = map[model.Budget]int{model.Drops: 1}, []map[model.ID]string{nil}
	if err := (trace.Setting{}).Apply(&sys); err != nil {
		t.Fatal(err)
	}
	want := trace.Setting{
		Algo: "office", Agents: 3, Params: map[string]int{}, Starts: map[model.ID]string{}, Network: "set",
		Wipe: []model.ID{}, Restart: []model.ID{}, Crash: []model.ID{}, Budgets: map[string]int{},
	}
	if diff := cmp.Diff(want, trace.SettingOf(&sys)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
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
	setting = trace.Setting{
		Algo: "a", Agents: 3, Network: "bag", Lossy: true, Wipe: []model.ID{1, 2}, Restart: []model.ID{3, 2}, Crash: []model.ID{1},
		Budgets: map[string]int{"timeouts": 6, "duplicates": 5, "drops": 4, "crashes": 3, "restarts": 2, "wipes": 0},
	}
	want = "--algo a --agents 3 --network bag --lossy --wipe 1,2 --restart 2,3 --crash 1 --max-wipes 0 --max-restarts 2 --max-crashes 3 --max-drops 4 --max-duplicates 5 --max-timeouts 6"
	if got := trace.CommandLine(setting.Flags()...); got != want {
		t.Errorf("the flags are\n%s\nnot\n%s", got, want)
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
