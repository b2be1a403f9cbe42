package cli

import (
	"math"
	"testing"
)

func TestWholeNumber(t *testing.T) {
	good := map[string]int64{"0": 0, "7": 7, "10": 10, "-3": -3, "-1": -1, "9223372036854775807": math.MaxInt64}
	for text, want := range good {
		if got, err := wholeNumber(text, -3, math.MaxInt64); err != nil || got != want {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
	bad := []string{"", "-", "+1", "010", "00", "-01", "-0x1", "0x10", "0b1", "1_0", "1e3", "1.0", " 1", "1 ", "٣", "--1", "-4", "9223372036854775808", "-9223372036854775809"}
	for _, text := range bad {
		if got, err := wholeNumber(text, -3, math.MaxInt64); err == nil {
			t.Errorf("%q: taken as %d", text, got)
		}
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 12345: "12,345", 1234567: "1,234,567", -1000: "-1,000", -100: "-100"} {
		if got := grouped(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

func TestBytesText(t *testing.T) {
	for n, want := range map[int64]string{0: "0 kB", 999_999: "999 kB", 1_000_000: "1 MB", 9_999_999_999: "9999 MB", 12_340_000_000: "12.3 GB"} {
		if got := bytesText(n); got != want {
			t.Errorf("%d: %s", n, got)
		}
	}
}

func TestMemorySize(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "1000": 1000, "1kB": 1000, "1KiB": 1024, "60MB": 60_000_000, "60MiB": 60 << 20, "3GB": 3_000_000_000, "3GiB": 3 << 30,
		"9223372036854775807": math.MaxInt64, "8589934591GiB": 8589934591 << 30,
	} {
		if got, err := memorySize(text); err != nil || got != want {
			t.Errorf("%q: %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "MB", "0", "0MB", "-1MB", "+1MB", "1.5GB", "1 MB", " 1MB", "1MB ", "1mb", "1M", "1B", "1MBMB", "0x1MB", "010MB", "8589934592GiB", "9223372036854775808"} {
		if got, err := memorySize(text); err == nil {
			t.Errorf("%q: taken as %d", text, got)
		}
	}
}

// A size is written as it can be read, and as short as it can be.
func TestSizeText(t *testing.T) {
	for n, want := range map[int64]string{
		1: "1", 999: "999", 1000: "1kB", 1001: "1001", 1024: "1KiB", 60_000_000: "60MB", 60 << 20: "60MiB", 1_024_000_000: "1024MB", 3 << 30: "3GiB", 3_000_000_000: "3GB", math.MaxInt64: "9223372036854775807",
	} {
		got := sizeText(n)
		if back, err := memorySize(got); got != want || err != nil || back != n {
			t.Errorf("%d: %s, which is %d, %v", n, got, back, err)
		}
	}
}
