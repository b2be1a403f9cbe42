package explorer_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/algos/paxos"
	"github.com/caulk-go/caulk/explorer"
	"github.com/caulk-go/caulk/model"
)

func reportToCompare(t *testing.T, sys model.System) *explorer.Report {
	t.Helper()
	return explore(t, sys, explorer.Options{KeepGoing: true, Cover: true, Graph: explorer.LabelGraph})
}

func compared(t *testing.T, older, newer model.System) *explorer.Comparison {
	t.Helper()
	c, err := explorer.Compare(reportToCompare(t, older), reportToCompare(t, newer))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCompareMarks(t *testing.T) {
	texts := func(pairs []explorer.PairChange) string {
		var all []string
		for _, p := range pairs {
			all = append(all, p.AgentState+" "+p.Message)
		}
		return strings.Join(all, ", ")
	}
	all := "I0 Accept n=1, L1 Promise n=1, I1 Promise n=1, I1 Accepted n=1"
	for _, tt := range []struct {
		older, newer           model.Algorithm
		fixed, newly, still    string
		reachable, unreachable int
		broke                  bool
	}{
		{paxos.Mark1.Algorithm(), paxos.Mark2.Algorithm(), all, "", "", 0, 0, false},
		{paxos.Mark1.Algorithm(), paxos.Mark2b.Algorithm(), all, "I1 Prepare n=1", "", 1, 0, true},
		{paxos.Mark2b.Algorithm(), paxos.Mark3.Algorithm(), "I1 Prepare n=1", "", "", 0, 0, false},
		{paxos.Mark1.Algorithm(), paxos.Mark1.Algorithm(), "", "", all, 0, 0, false},
	} {
		c := compared(t, systemFor(t, tt.older), systemFor(t, tt.newer))
		if texts(c.Fixed) != tt.fixed || texts(c.NewlyAwry) != tt.newly || texts(c.StillAwry) != tt.still || c.Broke != tt.broke ||
			len(c.NewlyReachable) != tt.reachable || len(c.NoLongerReachable) != tt.unreachable {
			t.Errorf("%s, %s: fixed %s; newly awry %s; still awry %s; %v newly and %v no longer reachable; broke: %t",
				tt.older.Name, tt.newer.Name, texts(c.Fixed), texts(c.NewlyAwry), texts(c.StillAwry), c.NewlyReachable, c.NoLongerReachable, c.Broke)
		}
	}
}

func TestCompareProperties(t *testing.T) {
	with := func(panics int, properties ...model.Property) model.System {
		sys := systemOf(model.Of(scripted[int, ticket]{actions: action("count", func(s int) (int, []model.Message[ticket], bool) {
			if s == panics {
				panic("too far")
			}
			return s + 1, nil, s < 2
		})}))
		sys.Properties = properties
		return sys
	}
	holds := func(name string) model.Property { return model.Always(name, func(model.View) error { return nil }) }
	fails := func(name string) model.Property { return model.Sometimes(name, func(model.View) bool { return false }) }
	for name, tt := range map[string]struct {
		older, newer model.System
		want         []explorer.Change
		broke        bool
	}{
		"same":   {with(9, holds("p"), fails("q")), with(9, holds("p"), fails("q")), []explorer.Change{explorer.Same, explorer.Same}, false},
		"mended": {with(9, fails("p")), with(9, holds("p")), []explorer.Change{explorer.Mended}, false},
		"broken": {with(9, holds("p")), with(9, fails("p")), []explorer.Change{explorer.Broken}, true},
		"others": {with(9, holds("p")), with(9, holds("q"), fails("r")), []explorer.Change{explorer.Added, explorer.Broken, explorer.Gone}, true},
		"panics": {with(9, holds("p")), with(1, holds("p")), []explorer.Change{explorer.Other}, true},
		"still":  {with(1, holds("p")), with(1, holds("p")), []explorer.Change{explorer.Same}, false},
	} {
		c := compared(t, tt.older, tt.newer)
		var got []explorer.Change
		for _, p := range c.Properties {
			got = append(got, p.Change)
		}
		if !slices.Equal(got, tt.want) || c.Broke != tt.broke {
			t.Errorf("%s: %v, broke: %t", name, got, c.Broke)
		}
	}
}

func TestCompareRefuses(t *testing.T) {
	r := reportToCompare(t, systemFor(t, paxos.Mark1.Algorithm()))
	for want, o := range map[string]explorer.Options{"lacks its coverage": {}, "": {Cover: true, Graph: explorer.LabelGraph}} {
		_, err := explorer.Compare(r, explore(t, systemFor(t, paxos.Mark2.Algorithm()), o))
		if (want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
