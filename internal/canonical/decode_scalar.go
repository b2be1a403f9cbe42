package canonical

import (
	"encoding/binary"
	"math"
	"reflect"
)

func (d *decoder) scalar(p *plan, v reflect.Value) error {
	switch p.kind {
	case reflect.Bool:
		b, err := d.flag()
		v.SetBool(b)
		return err
	case reflect.Int8:
		b, err := d.take(1)
		if err == nil {
			v.SetInt(int64(int8(b[0])))
		}
		return err
	case reflect.Uint8:
		b, err := d.take(1)
		if err == nil {
			v.SetUint(uint64(b[0]))
		}
		return err
	case reflect.Int, reflect.Int16, reflect.Int32, reflect.Int64:
		return d.int(v)
	case reflect.Uint, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return d.uint(v)
	case reflect.Float32, reflect.Float64:
		f, err := d.float(p.kind == reflect.Float32)
		v.SetFloat(f)
		return err
	case reflect.Complex64, reflect.Complex128:
		re, err := d.float(p.kind == reflect.Complex64)
		if err != nil {
			return err
		}
		im, err := d.float(p.kind == reflect.Complex64)
		v.SetComplex(complex(re, im))
		return err
	default:
		panic("canonical: a plan for " + p.typ.String())
	}
}

func (d *decoder) int(v reflect.Value) error {
	u, err := d.uvarint()
	if err != nil {
		return err
	}
	i := int64(u>>1) ^ -int64(u&1) // zigzag, as binary.AppendVarint writes it
	if v.OverflowInt(i) {
		return d.fail("a number does not fit its type")
	}
	v.SetInt(i)
	return nil
}

func (d *decoder) uint(v reflect.Value) error {
	u, err := d.uvarint()
	if err != nil {
		return err
	}
	if v.OverflowUint(u) {
		return d.fail("a number does not fit its type")
	}
	v.SetUint(u)
	return nil
}

func (d *decoder) float(single bool) (float64, error) {
	var f float64
	if single {
		b, err := d.take(4)
		if err != nil {
			return 0, err
		}
		f = float64(math.Float32frombits(binary.BigEndian.Uint32(b)))
	} else {
		b, err := d.take(8)
		if err != nil {
			return 0, err
		}
		f = math.Float64frombits(binary.BigEndian.Uint64(b))
	}
	if f != f || f == 0 && math.Signbit(f) {
		return 0, d.fail("a number is NaN or -0")
	}
	return f, nil
}
