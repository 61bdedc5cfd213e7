// SPDX-License-Identifier: Apache-2.0

package window

import (
	"math"
	"strconv"
	"time"
)

// Totals are a station's cumulative sums over all windows handed out, as exported on /metrics.
type Totals struct {
	Arrivals, Completions, Aborts, Reopened uint64
	Opaque                                  uint64 // connections that can't be measured any more
	QueueTime, Residence                    int64  // ns
	Lost                                    uint64 // segments that were sent again
	Errors                                  uint64 // as in Window
	// ns: queue that windows had below zero, which proves that a count is wrong
	Negative int64
	Load     Loads

	// Only for edges: requests that wait on purpose, the time of those that were answered (ns), and how often the
	// caller reported that the received work is done.
	Patient  uint64
	Patience int64
	Commits  uint64
	Failed   uint64 // connections that could not be opened: refused, or never answered
	// Busy is the time in ns in which calls were outstanding, however many: of a window no more than its mean number.
	Busy int64
	// Peak is the most calls outstanding at once in each window, times its width: ns x calls.
	Peak int64
}

// Takes reports whether the caller of an edge takes work there.
func (t Totals) Takes() bool { return t.Patient > 0 || t.Commits > 0 }

// Join adds the counts of another station that stands for the same thing; loads belong to one station only.
func (t *Totals) Join(o Totals) {
	t.Arrivals += o.Arrivals
	t.Completions += o.Completions
	t.Aborts += o.Aborts
	t.Reopened += o.Reopened
	t.Opaque += o.Opaque
	t.QueueTime += o.QueueTime
	t.Residence += o.Residence
	t.Lost += o.Lost
	t.Errors += o.Errors
	t.Negative += o.Negative
	t.Patient += o.Patient
	t.Patience += o.Patience
	t.Commits += o.Commits
	t.Failed += o.Failed
	t.Busy += o.Busy
	t.Peak += o.Peak
}

// Load is the sum over the windows of one load bin: from these the rules derive the main sequence (throughput
// against queue length, RAB Fig. 4c) at any scrape interval.
type Load struct {
	Windows, Completions uint64
	QueueTime            int64 // ns
}

// Add counts a window in. Merged windows mix times, so that they have no load of their own.
func (t *Totals) Add(w Window, width time.Duration) {
	t.Arrivals += w.Arrivals
	t.Completions += w.Completions
	t.Aborts += w.Aborts
	t.Reopened += w.Reopened
	t.Opaque += w.Opaque
	t.Lost += w.Lost
	t.Errors += w.Errors
	t.QueueTime += max(w.QueueTime, 0)
	t.Residence += max(w.Residence, 0)
	t.Patient += w.Patient
	t.Patience += w.Patience
	t.Commits += w.Commits
	t.Failed += w.Failed
	length := int64(max(w.Merged, 1)) * int64(width)
	t.Busy += min(max(w.QueueTime, 0), length)
	t.Peak += int64(w.PeakCalls) * length
	if w.Merged > 0 {
		return
	}
	t.Negative += max(-w.QueueTime, 0)
	t.Load.Add(w.Queue(width), w.Completions, w.QueueTime)
}

// Loads are the load bins by number.
type Loads map[int]Load

// Add counts a window with a mean queue length, completions, and the integral of the queue in ns.
func (l *Loads) Add(queue float64, completions uint64, queueTime int64) {
	if *l == nil {
		*l = make(Loads)
	}
	bin := Bin(queue)
	b := (*l)[bin]
	b.Windows++
	b.Completions += completions
	b.QueueTime += max(queueTime, 0)
	(*l)[bin] = b
}

// Idle is the number of windows without a request.
func (l Loads) Idle() uint64 { return l[idleBin].Windows }

// Load bins: four an octave from 2^-4 to 2^12 requests, one for idle windows below, one for all beyond above.
const (
	binsPerOctave = 4
	lowestOctave  = -4
	highestOctave = 12
	idleBin       = 0
	topBin        = (highestOctave-lowestOctave)*binsPerOctave + 2
)

// Bin numbers the load bin of a mean queue length: bin b > 0 holds the lengths up to its bound, above the bound of b-1.
func Bin(queue float64) int {
	if queue <= 0 {
		return idleBin
	}
	b := 1 + int(math.Ceil((math.Log2(queue)-lowestOctave)*binsPerOctave-1e-9))
	return min(max(b, 1), topBin)
}

// BinLabel is the bin's upper bound as a label value: "0" for idle windows, then "0.0625" ... "4096", "+Inf".
func BinLabel(bin int) string {
	switch bin {
	case idleBin:
		return "0"
	case topBin:
		return "+Inf"
	}
	bound := math.Exp2(lowestOctave + float64(bin-1)/binsPerOctave)
	// three significant digits are enough to tell quarter octaves apart, and whole octaves stay exact
	if _, frac := math.Modf(math.Log2(bound)); frac == 0 {
		return strconv.FormatFloat(bound, 'f', -1, 64)
	}
	exponent := math.Pow(10, 2-math.Floor(math.Log10(bound)))
	return strconv.FormatFloat(math.Round(bound*exponent)/exponent, 'f', -1, 64)
}

// LowestBound is the upper bound of the lowest bin of windows with a queue.
var LowestBound = math.Exp2(lowestOctave)

// BinExponent is the e of a bin's upper bound 2^(e/4); false for idle windows and for windows within the lowest
// bound. Windows beyond the highest bound count as the next quarter octave.
func BinExponent(bin int) (int, bool) {
	if bin <= 1 {
		return 0, false
	}
	return lowestOctave*binsPerOctave + bin - 1, true
}
