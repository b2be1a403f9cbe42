package linear_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/caulk-go/caulk/linear"
	"github.com/caulk-go/caulk/model"
)

type history = linear.History[linear.RegisterCall[string], string]

// event is a call, or what it returns.
type event struct {
	client model.ID
	call   *linear.RegisterCall[string]
	result string
}

func write(client model.ID, v string) event { return event{client: client, call: new(linear.Write(v))} }
func read(client model.ID) event            { return event{client: client, call: new(linear.Read[string]())} }
func gets(client model.ID, v string) event  { return event{client: client, result: v} }

func of(events []event) history {
	var h history
	for _, e := range events {
		if e.call != nil {
			h = h.Invoke(e.client, *e.call)
		} else {
			h = h.Return(e.client, e.result)
		}
	}
	return h
}

func TestRegister(t *testing.T) {
	cases := []struct {
		name   string
		events []event
		want   string // the sentence; empty where it is linearizable
	}{
		{"nothing", nil, ""},
		{"one after the other", []event{write(1, "a"), gets(1, ""), read(2), gets(2, "a")}, ""},
		{"a read before the write returns", []event{write(1, "a"), read(2), gets(2, "a"), gets(1, "")}, ""},
		{"a read before the write takes effect", []event{write(1, "a"), read(2), gets(2, ""), gets(1, "")}, ""},
		{"a stale read", []event{write(1, "a"), gets(1, ""), read(2), gets(2, "")},
			"client 2 calls read() and gets \"\" cannot be explained: client 1 calls write(a) and gets \"\", client 2 calls read() and gets \"\""},
		{"new, then old", []event{write(1, "a"), read(2), gets(2, "a"), read(3), gets(3, "")},
			"client 3 calls read() and gets \"\" cannot be explained: client 1 calls write(a), client 2 calls read() and gets \"a\", client 3 calls read() and gets \"\""},
		{"old, then new", []event{write(1, "a"), read(3), gets(3, ""), read(2), gets(2, "a")}, ""},
		{"a call that never returns may take effect", []event{write(1, "a"), read(2), gets(2, "a"), read(2), gets(2, "a")}, ""},
		{"or not", []event{write(1, "a"), read(2), gets(2, ""), read(2), gets(2, "")}, ""},
		{"but not undo it", []event{write(1, "a"), read(2), gets(2, "a"), read(2), gets(2, "")},
			"client 2 calls read() and gets \"\" cannot be explained: client 1 calls write(a), client 2 calls read() and gets \"a\", client 2 calls read() and gets \"\""},
		{"what nobody wrote", []event{read(1), gets(1, "b")}, "client 1 calls read() and gets \"b\" cannot be explained: client 1 calls read() and gets \"b\""},
		{"two writers, two orders", []event{write(1, "a"), write(2, "b"), gets(1, ""), gets(2, ""), read(1), read(2), gets(1, "a"), gets(2, "b")},
			"client 2 calls read() and gets \"b\" cannot be explained: client 1 calls write(a) and gets \"\", client 1 calls read() and gets \"a\", client 2 calls write(b) and gets \"\", client 2 calls read() and gets \"b\""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			if err := linear.Register("").Check(of(c.events)); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What overlaps has no order.
func TestHistoriesThatAreOne(t *testing.T) {
	a := of([]event{write(1, "a"), write(2, "b"), gets(1, ""), gets(2, "")})
	b := of([]event{write(2, "b"), write(1, "a"), gets(2, ""), gets(1, "")})
	if diff := cmp.Diff(a, b); diff != "" {
		t.Errorf("two histories (-one +other):\n%s", diff)
	}
	c := of([]event{write(1, "a"), gets(1, ""), write(2, "b"), gets(2, "")})
	if cmp.Equal(a, c) {
		t.Error("a call that had returned before another was made overlaps with it")
	}
}

func TestReturnWithoutACall(t *testing.T) {
	h := of([]event{write(1, "a"), gets(1, "")})
	if diff := cmp.Diff(h, h.Return(1, "late")); diff != "" {
		t.Errorf("a return without a call changes the history (-before +after):\n%s", diff)
	}
}
