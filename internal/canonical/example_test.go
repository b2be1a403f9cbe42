package canonical_test

import (
	"fmt"
	"reflect"

	"github.com/caulk-go/caulk/internal/canonical"
)

func Example() {
	type store struct {
		round  int
		values map[string]int
		log    []string
	}
	codec, err := canonical.NewTypes().Codec(reflect.TypeFor[store]())
	if err != nil {
		fmt.Println(err)
		return
	}
	a, _ := codec.Append(nil, store{1, map[string]int{"x": 1, "y": 2}, nil})
	b, _ := codec.Append(nil, store{1, map[string]int{"y": 2, "x": 1}, []string{}})
	fmt.Println(string(a) == string(b))
	v, _ := codec.Decode(a)
	fmt.Println(codec.Format(v))
	// Output:
	// true
	// store{round: 1, values: map["x": 1, "y": 2], log: []}
}

func ExampleTypes_Codec() {
	type server struct {
		Queue []struct{ Done chan bool }
	}
	_, err := canonical.NewTypes().Codec(reflect.TypeFor[server]())
	fmt.Println(err)
	// Output:
	// server.Queue[].Done is a channel, and a channel cannot be part of a state or a message: keep plain values only (structs, slices, maps, pointers to values)
}
