package validate

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/caulk-go/caulk/model"
	"github.com/caulk-go/caulk/trace"
	"github.com/caulk-go/caulk/trace/tracelog"
)

func total(v model.View) int {
	n := 0
	for _, d := range model.StatesOf[drawer](v) {
		n += d.Total
	}
	return n
}

// verdicts are those of the properties, in a report that is of the verdict.
func verdicts(t *testing.T, r *Report, want Verdict) string {
	t.Helper()
	if r.Verdict != want {
		t.Fatalf("it is %s, not %s: %+v %s", r.Verdict, want, r.FirstInvalid, r.NotJudged)
	}
	var all []string
	for _, p := range r.Properties {
		all = append(all, fmt.Sprintf("%s %s %d", p.Name, p.Verdict, p.Tested))
	}
	return strings.Join(all, "; ")
}

func TestPropertiesAreJudgedAlongTheWay(t *testing.T) {
	sys := tills(model.Bag,
		model.Always("little", func(v model.View) error {
			if n := total(v); n > 100 {
				return fmt.Errorf("there are %d", n)
			}
			return nil
		}),
		model.EveryStep("grows", func(before, after model.View) error {
			if total(after) < total(before) {
				return errors.New("it shrinks")
			}
			return nil
		}),
		model.Sometimes("four", func(v model.View) bool { return total(v) == 4 }),
		model.Sometimes("five", func(v model.View) bool { return total(v) == 5 }),
		model.Eventually("six", func(v model.View) bool { return total(v) == 6 }),
		model.Always("the wire is never bare", func(v model.View) error {
			if len(model.InFlightOf[coin](v)) == 0 {
				return errors.New("it is")
			}
			return nil
		}).When(func(v model.View) bool { return total(v) < 4 }),
	)
	got := verdicts(t, check(t, sys, story(t, sys).write()), Valid)
	if want := "little holds 6; grows holds 4; four reached 6; five not reached 6; six not judged 0; the wire is never bare holds 5"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// A violation is a path of the model, which replay makes again.
func TestAViolationIsAPath(t *testing.T) {
	few := model.Always("few", func(v model.View) error {
		if n := total(v); n > 3 {
			return fmt.Errorf("there are %d", n)
		}
		return nil
	})
	sys := tills(model.Bag, few)
	sys.Budgets = map[model.Budget]int{model.Duplicates: 1}
	r := newRun(t, sys)
	m := r.wire[0]
	r.tick(3)
	r.deliver(0)
	r.commit(2)
	r.commit(3)
	r.wire, r.to = append(r.wire, m), append(r.to, 2)
	r.deliver(len(r.wire) - 1) // once more: the network doubled it
	r.commit(2)
	report := check(t, sys, r.write())
	verdicts(t, report, Violated)
	v := report.Violation
	if v.Property != "few" || v.Reason != "there are 6" || v.Agent != 2 || v.Seq != 3 || v.State != "060" || v.NoPath != "" {
		t.Fatalf("%+v", v)
	}
	var labels []string
	for _, s := range v.Path {
		labels = append(labels, s.Label)
	}
	if want := []string{"tick 3", "Duplicate {coin;1->2}", "{coin;1->2}", "{coin;1->2}"}; !slices.Equal(labels, want) {
		t.Errorf("the path is %q, want %q", labels, want)
	}
	o, err := trace.Replay(sys, trace.Path{Steps: v.Path, Property: v.Property})
	if err != nil || o.Verdict != trace.StillFails || len(o.Made) != len(v.Path) {
		t.Errorf("replayed, it is %s: %v", o, err)
	}
}

// What the model does not have is no path of it, and the report says so.
func TestAViolationWithoutAPath(t *testing.T) {
	sys := tills(model.Bag, model.Always("nothing", func(v model.View) error {
		if n := total(v); n > 0 {
			return fmt.Errorf("there are %d", n)
		}
		return nil
	}))
	r := newRun(t, sys)
	r.client(2)
	r.commit(2)
	report := check(t, sys, r.write())
	verdicts(t, report, Violated)
	if v := report.Violation; v.Path != nil || v.NoPath != "agent 2 received what a client from outside sent, and the model has none" {
		t.Errorf("%v, %s", v.Path, v.NoPath)
	}

	sys.Starts = nil
	r = newRun(t, sys)
	value := "x"
	r.tick(1)
	r.step(r.nodes[0], tracelog.Step{Move: tracelog.Start, Value: &value}, r.nodes[0].state)
	r.commit(1)
	r.deliver(0)
	r.commit(2)
	report = check(t, sys, r.write())
	verdicts(t, report, Violated)
	if v := report.Violation; v.Path != nil || !strings.HasPrefix(v.NoPath, "agent 1 was handed a value while it ran") {
		t.Errorf("%v, %s", v.Path, v.NoPath)
	}
}

func TestObserversSeeTraces(t *testing.T) {
	sys := tills(model.Bag)
	sys.Observer = model.Observe("", func(past string, e model.Event) string {
		return past + fmt.Sprintf("%s %d sends %d; ", e.Move.Name(), e.Agent, len(e.Sent))
	})
	sys.Properties = []model.Property{model.Sometimes("seen", func(v model.View) bool {
		return model.ObserverOf[string](v) == "begin 1 sends 1; begin 2 sends 0; begin 3 sends 0; deliver 2 sends 1; restart 3 sends 0; tick 2 sends 1; tick 2 sends 1; deliver 3 sends 0; "
	})}
	if got := verdicts(t, check(t, sys, story(t, sys).write()), Valid); got != "seen reached 6" {
		t.Error(got)
	}
}

func TestAPropertyThatPanics(t *testing.T) {
	sys := tills(model.Bag, model.Always("loud", func(model.View) error { panic("boom") }))
	report := check(t, sys, story(t, sys).write())
	if report.Verdict != Valid || !strings.Contains(report.NotJudged, "boom") {
		t.Errorf("%s: %s", report.Verdict, report.NotJudged)
	}
}
