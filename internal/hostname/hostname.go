// Package hostname tells apart under which names a server on this machine may be
// asked. A page of another site, whose name was made to lead here, must not ask
// anything (DNS rebinding): its requests bear its own name.
package hostname

import (
	"net"
	"strings"
)

// Of is the name in a request's Host, without the port, and of an address without brackets.
func Of(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.Trim(host, "[]")
}

// Own says whether a request's Host is a number or localhost: no other site can be
// called that.
func Own(host string) bool {
	name := Of(host)
	return net.ParseIP(name) != nil || strings.EqualFold(name, "localhost")
}
