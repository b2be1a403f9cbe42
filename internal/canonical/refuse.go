package canonical

import (
	"reflect"
	"strings"
)

// refuseType says why no value of type t is plain, looking at t alone and not
// at what it is made of; nil if t itself is fine.
func refuseType(t reflect.Type) *refusal {
	switch t.PkgPath() {
	case "sync", "sync/atomic", "internal/sync":
		// The last is what a type defined as a sync.Mutex is made of.
		return refuseKind(article(t.String()), keepPlain)
	case "time":
		// A Location has caches that fill as it is used.
		if t.Name() == "Time" || t.Name() == "Location" {
			return refuseKind(article(t.String()), "keep a time.Duration or a number of your own")
		}
	}
	switch t.Kind() {
	case reflect.Chan:
		return refuseKind("a channel", keepPlain)
	case reflect.Func:
		return refuseKind("a function", keepPlain)
	case reflect.Uintptr:
		return refuseKind("a uintptr", "it may be an address, which differs from run to run; keep a uint64")
	case reflect.UnsafePointer:
		return refuseKind("an unsafe.Pointer", keepPlain)
	}
	return nil
}

func article(noun string) string {
	if strings.IndexByte("aeioAEIO", noun[0]) >= 0 {
		return "an " + noun
	}
	return "a " + noun
}

// refuseKey says where a map key of type t shows a pointer, and is nil if it
// shows none. Go compares such keys by address, which is no part of the value:
// two keys could have one encoding. What an interface holds is seen later.
func refuseKey(t reflect.Type) *refusal {
	switch t.Kind() {
	case reflect.Pointer:
		return refuse("is a pointer in a map key, and pointers that differ may point to equal values: use the value itself, or an ID, as the key")
	case reflect.Array:
		if r := refuseKey(t.Elem()); r != nil {
			return r.at(element)
		}
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Name == "_" {
				continue
			}
			if r := refuseKey(f.Type); r != nil {
				return r.at("." + f.Name)
			}
		}
	}
	return nil
}
