// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longestName bounds a name in bytes: a label is sent with every sample.
const longestName = 128

// unreadable replaces bytes that are no text.
const unreadable = '?'

// Visible makes a name safe to be a label. Any local user chooses the name of a process and may put any bytes into it,
// and the exposition formats of Prometheus take valid UTF-8 only: a single other byte would remove all metrics. It
// must not hold U+FFFD either, the usual sign for such bytes: PromQL treats that as an error wherever it is written,
// so that no dashboard could ask for the tier.
func Visible(name string) string {
	name = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return unreadable
		}
		return r
	}, name)
	if len(name) <= longestName {
		return name
	}
	cut := longestName
	for !utf8.RuneStart(name[cut]) {
		cut--
	}
	return name[:cut]
}
