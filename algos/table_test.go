package algos_test

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/algos"
	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/scenario"
	"github.com/caulk-go/caulk/trace"
)

var (
	long   = flag.Bool("long", false, "explore the settings that take long, too")
	update = flag.Bool("update", false, "rewrite the README's table of algorithms")
)

// row is a setting of an algorithm and what must come of it. The first row of
// each algorithm is the one that the README shows.
type row struct {
	algo    string
	agents  int                   // 0: the algorithm's default
	params  map[string]int        // what is missing has its default
	setting func(s *model.System) // changes the default system; nil leaves it
	options explorer.Options
	want    scenario.Want
	long    bool // takes more than a few seconds: only with -long
}

// rows are those of all families, in the order of algos.All.
func rows() []row {
	return slices.Concat(
		paxosRows(),
		laterMarkRows(),
		twoPhaseRows(),
		registerRows(),
		classicRows(),
		synodRows(),
		raftRows(),
		queueRows(),
		userFunctionRows(),
		cacheRows(),
		masterRows(),
		orswotRows(),
		gearmanRows(),
		xsyncRows(),
		searchRows(),
		rsyncRows(),
	)
}

// TestTable explores every row: a broken twin fails as it must, by a shortest
// path of the length that the row says, and what is correct holds when it is
// explored completely.
func TestTable(t *testing.T) {
	var cases []scenario.Case
	for _, r := range rows() {
		if r.long && !*long {
			continue
		}
		s := r.system(t)
		cases = append(cases, scenario.Case{
			Name:    strings.Join(append([]string{r.algo}, r.flags(t)...), " "),
			System:  s,
			Options: r.options,
			Want:    r.want,
		})
	}
	scenario.Run(t, cases)
}

// TestTableIsWhole sees to it that no algorithm goes unexplored: each has a row;
// one that holds has one that holds with its states; a broken one has one that
// is violated, with its moves, or halts.
func TestTableIsWhole(t *testing.T) {
	all := rows()
	for _, a := range algos.All() {
		pinned := slices.ContainsFunc(all, func(r row) bool {
			if r.algo != a.Name {
				return false
			}
			if a.Hole != "" {
				return r.want.Verdict == explorer.Violated && r.want.Property != "" && r.want.Moves != nil || len(r.want.Awry) > 0
			}
			return r.want.Verdict == explorer.Holds && r.want.States > 0
		})
		if !pinned {
			t.Errorf("no row says what comes of %s", a.Name)
		}
	}
	for _, r := range all {
		if r.want.Verdict == explorer.Holds && r.want.States == 0 || r.want.Verdict == explorer.Violated && r.want.Moves == nil {
			t.Errorf("%s %s: the row pins neither states nor moves", r.algo, strings.Join(r.flags(t), " "))
		}
	}
}

func (r row) system(t *testing.T) model.System {
	t.Helper()
	a, err := model.FindAlgorithm(algos.All(), r.algo)
	if err != nil {
		t.Fatal(err)
	}
	s, err := a.System(model.Config{Agents: r.agents, Params: r.params})
	if err != nil {
		t.Fatal(err)
	}
	if r.setting != nil {
		r.setting(&s)
	}
	return s
}

// flags are those that the row's setting needs beyond the algorithm's name.
func (r row) flags(t *testing.T) []string {
	t.Helper()
	standard := row{algo: r.algo}.system(t)
	s := r.system(t)
	if !maps.Equal(s.Starts, standard.Starts) {
		standard.Starts = nil // a flag that starts an agent starts it alone
	}
	usual := trace.SettingOf(&standard).Flags()
	var flags []string
	for words := trace.SettingOf(&s).Flags(); len(words) > 0; {
		n := 1
		if len(words) > 1 && !strings.HasPrefix(words[1], "--") {
			n = 2
		}
		if !contains(usual, words[:n]) && !(words[0] == "--agents" && r.agents == 0) {
			flags = append(flags, words[:n]...)
		}
		words = words[n:]
	}
	for _, reduction := range r.options.Reduce {
		flags = append(flags, "--reduce", reduction.String())
	}
	return flags
}

// contains says whether the words stand in the list, one behind the other.
func contains(list, words []string) bool {
	for i := range list {
		if i+len(words) <= len(list) && slices.Equal(list[i:i+len(words)], words) {
			return true
		}
	}
	return false
}

const (
	tableBegin = "<!-- algorithms: go test ./algos -run TestReadmeTable -update -->\n"
	tableEnd   = "<!-- end -->\n"
)

// TestReadmeTable compares the README's table with the rows.
func TestReadmeTable(t *testing.T) {
	const file = "../README.md"
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(content), tableBegin)
	shown, after, ended := strings.Cut(rest, tableEnd)
	if !found || !ended {
		t.Fatalf("README.md has no table of algorithms between %q and %q", tableBegin, tableEnd)
	}
	table := readmeTable(t)
	if *update {
		if err := os.WriteFile(file, []byte(before+tableBegin+table+tableEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := gocmp.Diff(shown, table); diff != "" {
		t.Errorf("README.md's table is stale, run its command (-README +rows):\n%s", diff)
	}
}

// readmeTable has a line for each algorithm, by its first row.
func readmeTable(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("\n| `--algo` | from | with | what goes wrong | states | moves |\n|---|---|---|---|---|---|\n")
	seen := map[string]bool{}
	for _, r := range rows() {
		if seen[r.algo] {
			continue
		}
		seen[r.algo] = true
		a, err := model.FindAlgorithm(algos.All(), r.algo)
		if err != nil {
			t.Fatal(err)
		}
		hole, states, moves := cmp.Or(a.Hole, "holds"), "", ""
		if r.want.States > 0 {
			states = thousands(r.want.States)
		}
		switch {
		case len(r.want.Awry) > 0:
			moves = strconv.Itoa(slices.Min(slices.Collect(maps.Values(r.want.Awry))))
		case r.want.Moves != nil:
			moves = strconv.Itoa(*r.want.Moves)
		}
		with := strings.Join(r.flags(t), " ")
		if with != "" {
			with = "`" + with + "`"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", a.Name, a.Source, with, hole, states, moves)
	}
	b.WriteString("\n")
	return b.String()
}

// thousands shows a number with a comma between thousands.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// wipe lets agents be wiped, at most so many times together.
func wipe(most int, ids ...model.ID) func(*model.System) {
	return func(s *model.System) {
		s.Wipe = ids
		s.Budgets = map[model.Budget]int{model.Wipes: most}
	}
}

// holds is what is wanted of a correct algorithm, explored completely.
func holds(states int) scenario.Want {
	return scenario.Want{Verdict: explorer.Holds, States: states, Halted: new(0), Inconsistent: new(0)}
}

// violated is what is wanted of a broken one: the property, and the length of
// the shortest path.
func violated(property string, moves int) scenario.Want {
	return scenario.Want{Verdict: explorer.Violated, Property: property, Moves: &moves}
}
