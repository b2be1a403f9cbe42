// Package printable makes what users' code and files say fit to be shown.
package printable

import (
	"strings"
	"unicode"
)

// Line keeps a text on its line, and from playing tricks with a terminal or a
// file's format: what cannot be printed becomes the replacement character.
func Line(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '\uFFFD'
	}, text)
}
