package stepper_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/stepper"
)

func TestFind(t *testing.T) {
	choices := []stepper.Choice{
		{Label: "alone", Body: "a1"},
		{Label: "twins", Body: "t1"},
		{Label: "twins", Body: "t2"},
		{Label: "alike", Body: "same"},
		{Label: "alike", Body: "same"},
		{Label: "bytes \xff\xfe", Body: "b"},
	}
	cases := []struct {
		name, label, body string
		want              int      // index into choices
		bodies            []string // of an ambiguous label
		impossible        bool
	}{
		{name: "by label", label: "alone", want: 0},
		{name: "by a label whose body has changed", label: "alone", body: "a1 before a field was added", want: 0},
		{name: "by body", label: "twins", body: "t2", want: 2},
		{name: "no body", label: "twins", bodies: []string{"t1", "t2"}},
		{name: "another body", label: "twins", body: "t3", bodies: []string{"t1", "t2"}},
		{name: "bodies that look alike", label: "alike", body: "same", bodies: []string{"same", "same"}},
		{name: "a label as JSON gives it back", label: "bytes \uFFFD\uFFFD", want: 5},
		{name: "no such label", label: "other", body: "t1", impossible: true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got, err := stepper.Find(choices, c.label, c.body)
			var ambiguous *stepper.AmbiguousError
			switch {
			case c.impossible:
				if !errors.Is(err, stepper.ErrNotPossible) {
					t.Errorf("the error is %v", err)
				}
			case c.bodies != nil:
				if !errors.As(err, &ambiguous) {
					t.Fatalf("the error is %v", err)
				}
				if diff := cmp.Diff(c.bodies, ambiguous.Bodies); diff != "" {
					t.Errorf("bodies (-want +got):\n%s", diff)
				}
			case err != nil || got.Body != choices[c.want].Body:
				t.Errorf("found %q, %v", got.Body, err)
			}
		})
	}
}
