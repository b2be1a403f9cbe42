package canonical

import (
	"reflect"
	"testing"
	"time"
)

type pair[A, B any] struct {
	a A
	b B
}

func TestNames(t *testing.T) {
	type local struct{}
	const here = "github.com/caulk-go/caulk/internal/canonical."
	for _, test := range []struct {
		typ        reflect.Type
		full, base string
	}{
		{reflect.TypeFor[int](), "int", "int"},
		{reflect.TypeFor[error](), "error", "error"},
		{reflect.TypeFor[time.Duration](), "time.Duration", "Duration"},
		{reflect.TypeFor[lead](), here + "lead", "lead"},
		{reflect.TypeFor[local](), here + "local", "local"},
		{reflect.TypeFor[[]*lead](), "[]*" + here + "lead", "[]*lead"},
		{reflect.TypeFor[map[vote][2]lead](), "map[" + here + "vote][2]" + here + "lead", "map[vote][2]lead"},
		{reflect.TypeFor[any](), "interface{}", "any"},
		{reflect.TypeFor[interface {
			M(int, ...lead) error
			m()
		}](), "interface{M(int, ...[]" + here + "lead)(error); github.com/caulk-go/caulk/internal/canonical.m()()}", "interface"},
		{reflect.TypeFor[struct {
			A int `json:"a"`
			b vote
			lead
		}](), `struct{A int "json:\"a\""; ` + here + "b " + here + "vote; " + here + "lead = " + here + "lead}", "struct"},
		{reflect.TypeFor[pair[int, []lead]](), here + "pair[int,[]" + here + "lead]", "pair[int,[]lead]"},
		{reflect.TypeFor[pair[map[string]lead, pair[vote, any]]](), here + "pair[map[string]" + here + "lead," + here + "pair[" + here + "vote,interface {}]]", "pair[map[string]lead,pair[vote,any]]"},
		{reflect.TypeFor[func(<-chan int)](), "func(<-chan(int))()", "func"},
	} {
		if got := fullName(test.typ); got != test.full {
			t.Errorf("full name\ngot  %s\nwant %s", got, test.full)
		}
		if got := baseName(test.typ); got != test.base {
			t.Errorf("base name\ngot  %s\nwant %s", got, test.base)
		}
	}
	// The compiler numbers local types here: the number is not for readers.
	if got := baseName(reflect.TypeFor[pair[local, []local]]()); got != "pair[local,[]local]" {
		t.Errorf("got %s", got)
	}
}
