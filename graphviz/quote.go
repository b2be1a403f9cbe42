package graphviz

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/caulk-go/caulk/explorer"
)

// quote makes a DOT string of s that serves as a node's name and as a label.
// Different strings give different results, and the label shows the string as
// it is; see visible for the exception. The result is one line.
//
// In a label Graphviz reads a backslash as the start of an escape (\n, \N),
// and &lt; as a <; in a name it reads neither. So both are written as a label
// needs them, and what a name gets of it is at least never ambiguous: a
// backslash in front of the closing quote is always one of a pair.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	s = visible(s)
	for i := range len(s) { // bytes will do: all that is escaped is ASCII
		switch c := s[i]; {
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\\' || c == '"':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '&' && startsEntity(s[i+1:]):
			b.WriteString("&amp;")
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// startsEntity says whether what follows an ampersand could be taken for an
// entity, as in &amp; or &#38;.
func startsEntity(s string) bool {
	name := strings.TrimLeft(s, "#0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	return len(name) < len(s) && name[0:min(1, len(name))] == ";"
}

// visible is s itself, or, if it has characters that cannot be seen or are not
// UTF-8, s as a quoted Go string. So is a string that looks like the result of
// that; thus no two strings look the same.
func visible(s string) string {
	if hasInvisible(s) {
		return strconv.Quote(s)
	}
	if inner, err := strconv.Unquote(s); err == nil && strconv.Quote(inner) == s && visible(inner) != inner {
		return strconv.Quote(s)
	}
	return s
}

func hasInvisible(s string) bool {
	return !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool { return r != '\n' && !strconv.IsPrint(r) })
}

// nodeLabel is a node's label as a DOT string; messages in flight stand below
// it, one a line and flush left.
func nodeLabel(n *explorer.Node) string {
	label := quote(n.Label)
	if len(n.InFlight) == 0 {
		return label
	}
	var b strings.Builder
	b.WriteString(strings.TrimSuffix(label, `"`))
	b.WriteString(`\n`)
	for _, m := range n.InFlight {
		line := quote(m)
		b.WriteString(line[1 : len(line)-1])
		b.WriteString(`\l`)
	}
	b.WriteByte('"')
	return b.String()
}
