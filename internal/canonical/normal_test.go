package canonical

import "reflect"

// normal gives a copy of v in which what is empty is nil, so that
// reflect.DeepEqual says what this package means by deeply equal.
func normal(v any) any {
	if v == nil {
		return nil
	}
	c := reflect.New(reflect.TypeOf(v)).Elem()
	c.Set(reflect.ValueOf(v))
	normalise(c)
	return c.Interface()
}

func normalise(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			normalise(open(v.Field(i)))
		}
	case reflect.Array:
		for i := range v.Len() {
			normalise(v.Index(i))
		}
	case reflect.Slice:
		if v.Len() == 0 {
			v.SetZero()
			return
		}
		c := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(c, v)
		for i := range c.Len() {
			normalise(c.Index(i))
		}
		v.Set(c)
	case reflect.Map:
		if v.Len() == 0 {
			v.SetZero()
			return
		}
		c := reflect.MakeMap(v.Type())
		for iter := v.MapRange(); iter.Next(); {
			elem := reflect.New(v.Type().Elem()).Elem()
			elem.Set(iter.Value())
			normalise(elem)
			c.SetMapIndex(iter.Key(), elem)
		}
		v.Set(c)
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return
		}
		c := reflect.New(v.Elem().Type())
		c.Elem().Set(v.Elem())
		normalise(c.Elem())
		if v.Kind() == reflect.Interface {
			c = c.Elem()
		}
		v.Set(c)
	}
}
