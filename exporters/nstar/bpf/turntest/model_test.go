// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"math"
	"time"
)

// window is the result of user space for one window's sums: the queue is integrated over the window.
type window struct {
	Arrivals, Completions, Aborts, Reopened int
	Net                                     int           // change of the queue from the window's start to its end
	Queue                                   time.Duration // queue length integrated over the window
	Residence                               time.Duration // of the completions
}

// integrate turns the kernel's sums into windows by the carried-in count, as the exporter does.
func integrate(slots []sums) []window {
	windows := make([]window, len(slots))
	carry := int64(0)
	for i, s := range slots {
		windows[i] = window{
			Arrivals: int(s.Arrivals), Completions: int(s.Completions), Aborts: int(s.Aborts),
			Reopened: int(s.Reopened), Net: int(s.Net),
			Queue:     time.Duration(carry*int64(width) + s.Area),
			Residence: time.Duration(s.Residence),
		}
		carry += int64(s.Net)
	}
	return windows
}

// turn is one request as known afterwards. In the model below, segments do not move a departure: it places each
// turn where it ended.
type turn struct {
	from, to time.Duration // to < 0: still in the queue
	aborted  bool
	final    bool // the residence time is known: the next request came, or the connection closed
	again    []spell
	away     []stay // in which the request, or its answer, waited for its client
}

// stay is a span of time.
type stay struct{ from, to time.Duration }

// kept says that the client kept the turn waiting for a while.
func (t turn) kept(from, to time.Duration) turn {
	t.away = append(t.away[:len(t.away):len(t.away)], stay{from, to})
	return t
}

// stays are the spans of a turn in the queue, until an end.
func (t turn) stays(end time.Duration) (out []stay) {
	from := t.from
	for _, a := range t.away {
		out, from = append(out, stay{from, a.from}), a.to
	}
	return append(out, stay{from, end})
}

// residence is how long the turn was in the queue, until an end.
func (t turn) residence(end time.Duration) (sum time.Duration) {
	for _, s := range t.stays(end) {
		sum += s.to - s.from
	}
	return sum
}

// spell is a later part of an answer that fell silent for longer than the settle delay. Its segments move the
// departure again, and each step adds its own residence time.
type spell struct{ segments []time.Duration }

func served(from, to time.Duration) turn  { return turn{from: from, to: to, final: true} }
func open(from, to time.Duration) turn    { return turn{from: from, to: to} }
func waiting(from time.Duration) turn     { return turn{from: from, to: -1} }
func aborted(from, to time.Duration) turn { return turn{from: from, to: to, aborted: true} }

// resumed adds a spell of the answer: its first segment finds the window handed out, the others move the departure.
func (t turn) resumed(segments ...time.Duration) turn {
	t.again = append(t.again[:len(t.again):len(t.again)], spell{segments})
	return t
}

// model computes the windows from the turns alone. phase shifts the script's clock against the windows.
func model(turns []turn, n int, phase time.Duration) []window {
	windows := make([]window, n)
	in := func(t time.Duration) *window { return &windows[(t+phase)/width] }
	for _, t := range turns {
		in(t.from).Arrivals++
		end := t.to
		if end < 0 {
			end = time.Duration(n)*width - phase
		}
		for _, s := range t.stays(end) {
			in(s.from).Net++
			if s.to != end || t.to >= 0 {
				in(s.to).Net--
			}
			occupy(windows, s.from+phase, s.to+phase)
		}
		if t.to < 0 {
			continue
		}
		if t.aborted {
			in(t.to).Aborts++
			continue
		}
		in(t.to).Completions++
		in(t.to).Residence += t.residence(t.to)
		for i, s := range t.again {
			first, last := s.segments[0], s.segments[len(s.segments)-1]
			if i == 0 {
				in(first).Reopened++
			}
			in(first).Net++
			in(last).Net--
			occupy(windows, first+phase, last+phase)
			for i := 1; i < len(s.segments); i++ {
				in(s.segments[i]).Residence += s.segments[i] - s.segments[i-1]
			}
		}
	}
	return windows
}

// occupy adds one request to the queue from one moment to another.
func occupy(windows []window, from, to time.Duration) {
	for i := range windows {
		start := time.Duration(i) * width
		if overlap := min(to, start+width) - max(from, start); overlap > 0 {
			windows[i].Queue += overlap
		}
	}
}

// end is the last byte of the answer, however late.
func (t turn) end() time.Duration {
	if len(t.again) == 0 {
		return t.to
	}
	last := t.again[len(t.again)-1].segments
	return last[len(last)-1]
}

func wantedBuckets(turns []turn) map[int]int {
	buckets := map[int]int{}
	for _, t := range turns {
		if t.final && !t.aborted {
			buckets[bucketOf(t.residence(t.end()))]++
		}
	}
	return buckets
}

// bucketOf gives b for (2^((b-1)/4), 2^(b/4)] in units of 2^-30 s.
func bucketOf(residence time.Duration) int {
	units := residence.Seconds() * (1 << 30)
	if units < 1 {
		return 0
	}
	return int(math.Ceil(4 * math.Log2(units)))
}
