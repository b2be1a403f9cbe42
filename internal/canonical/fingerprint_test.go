package canonical

//lint:file-ignore U1000 fields are there to be encoded, not to be read

import (
	"errors"
	"reflect"
	"testing"
)

// Types in pairs that differ in one respect only, but never in their name.
func TestFingerprint(t *testing.T) {
	variants := map[string]reflect.Type{}
	{
		type s struct{ a, b int }
		variants["plain"] = reflect.TypeFor[s]()
	}
	{
		type s struct{ a, c int }
		variants["field name"] = reflect.TypeFor[s]()
	}
	{
		type s struct {
			a int
			b uint
		}
		variants["field type"] = reflect.TypeFor[s]()
	}
	{
		type s struct {
			a int
			b struct{ c int }
		}
		variants["nested"] = reflect.TypeFor[s]()
	}
	{
		type s struct {
			a int
			b struct{}
			c int
		}
		variants["not nested"] = reflect.TypeFor[s]()
	}
	{
		type s struct {
			a int
			b *s
		}
		variants["recursive"] = reflect.TypeFor[s]()
	}
	{
		type s struct {
			a int
			b **s
		}
		variants["recursive otherwise"] = reflect.TypeFor[s]()
	}
	{
		type s struct{ _ int }
		variants["padded"] = reflect.TypeFor[s]()
	}
	{
		type s struct{}
		variants["empty"] = reflect.TypeFor[s]()
	}
	seen := map[string]string{}
	for name, typ := range variants {
		a, err := NewTypes().Fingerprint(typ)
		if err != nil {
			t.Fatal(err)
		}
		if b, _ := knowing(t).Fingerprint(typ); a != b || len(a) != 64 {
			t.Errorf("%s: %s, then %s", name, a, b)
		}
		if other := seen[a]; other != "" {
			t.Errorf("%s and %s have one fingerprint", name, other)
		}
		seen[a] = name
	}
}

// Files and other processes hold fingerprints: they must stay.
func TestFingerprintStays(t *testing.T) {
	got, err := NewTypes().Fingerprint(reflect.TypeFor[server]())
	if want := "2ad7c73593dc4acbc3b0bd3eb3a45a5c49b4a15cd80fcdb04c02a1a3ed66feca"; err != nil || got != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}

func TestFingerprintOfWhatIsNotPlain(t *testing.T) {
	_, err := NewTypes().Fingerprint(reflect.TypeFor[waiting]())
	if e := (*NotPlainError)(nil); !errors.As(err, &e) {
		t.Errorf("got %v", err)
	}
}
