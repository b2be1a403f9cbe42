package trace

import (
	"fmt"
	"strings"
)

// CommandLine renders a command as one line that a shell reads as these
// arguments again. What needs no quotes has none.
func CommandLine(args ...string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		quoted[i] = quote(arg)
	}
	return strings.Join(quoted, " ")
}

const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%"

func quote(arg string) string {
	switch {
	case arg != "" && strings.Trim(arg, plain) == "":
		return arg
	case strings.ContainsFunc(arg, isControl):
		return quoteControl(arg)
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// quoteControl keeps a line one line with $'...', which bash, zsh, ksh and
// POSIX of 2024 know.
func quoteControl(arg string) string {
	var b strings.Builder
	b.WriteString("$'")
	for i := range len(arg) {
		switch c := arg[i]; {
		case isControl(rune(c)):
			fmt.Fprintf(&b, `\%03o`, c)
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			fallthrough
		default:
			b.WriteByte(c)
		}
	}
	b.WriteString("'")
	return b.String()
}
