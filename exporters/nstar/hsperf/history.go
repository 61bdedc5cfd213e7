// SPDX-License-Identifier: Apache-2.0

package hsperf

import (
	"slices"
	"time"
)

// history holds the spans of all collectors, ascending and separate, so that nothing counts twice if the
// pauses of two collectors overlap.
type history struct{ spans []span }

// add inserts a span, which is usually the newest, and joins it with the spans that it touches.
func (h *history) add(s span) {
	if s.end <= s.begin {
		return
	}
	to := len(h.spans)
	for to > 0 && h.spans[to-1].begin > s.end {
		to--
	}
	from := to
	for from > 0 && h.spans[from-1].end >= s.begin {
		from--
		s.begin, s.end = min(s.begin, h.spans[from].begin), max(s.end, h.spans[from].end)
	}
	h.spans = slices.Replace(h.spans, from, to, s)
}

// forget drops spans that ended before a time. The space is used again.
func (h *history) forget(before int64) {
	n := 0
	for n < len(h.spans) && h.spans[n].end < before {
		n++
	}
	if n > 0 {
		h.spans = h.spans[:copy(h.spans, h.spans[n:])]
	}
}

// within is how much of [begin, end) the spans and one more cover.
func (h *history) within(begin, end int64, more span) time.Duration {
	var sum int64
	for i := len(h.spans) - 1; i >= 0 && h.spans[i].end > begin; i-- {
		sum += overlap(h.spans[i], begin, end)
		// A part that the additional span covers as well counts once.
		sum -= overlap(h.spans[i], max(begin, more.begin), min(end, more.end))
	}
	return time.Duration(sum + overlap(more, begin, end))
}

// overlap is the length of the part of s within [begin, end).
func overlap(s span, begin, end int64) int64 {
	return max(min(s.end, end)-max(s.begin, begin), 0)
}
