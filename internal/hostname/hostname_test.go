package hostname_test

import (
	"testing"

	"github.com/caulk-go/caulk/internal/hostname"
)

func TestOwn(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": true, "127.0.0.1:80": true, "[::1]:80": true, "[::1]": true, "localhost": true, "LocalHost:80": true,
		"": false, "evil.example": false, "evil.example:80": false, "localhost.evil.example": false,
	} {
		if got := hostname.Own(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
}
