// SPDX-License-Identifier: Apache-2.0

package mix

import (
	"math"
	"slices"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/kinds"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
)

// mix is what is known of the kinds of a tier. A kind keeps its number when the configuration is read again, so that
// its sums continue.
type mix struct {
	names []string // by number, starting with Other
	given []time.Duration
	base  []probe.KindSums // of the tier that had the station's number before
	last  []probe.KindSums // at the last look
	times [][]time.Duration
	queue []time.Duration // as last shown
	work  float64         // seconds
}

const (
	// timesKept is for how many seconds with completions of a kind the times are remembered.
	timesKept = 60
	// timesNeeded is how many such seconds are needed before the fastest of them tell how long a request takes
	// without load.
	timesNeeded = 10
	// lightShare is the share of these seconds that counts as those with the least load.
	lightShare = 0.1
)

func newMix(base []probe.KindSums) *mix {
	if base == nil { // the kernel programs run without kinds
		base = make([]probe.KindSums, kinds.Max)
	}
	return &mix{
		names: []string{kinds.Other}, given: make([]time.Duration, kinds.Max), base: base, last: slices.Clone(base),
		times: make([][]time.Duration, kinds.Max), queue: make([]time.Duration, kinds.Max),
	}
}

// number is the number of a kind, which is new or was there before; false if there is no room.
func (k *mix) number(name string) (int, bool) {
	n := slices.Index(k.names, name)
	if n < 0 {
		if len(k.names) == kinds.Max {
			return 0, false
		}
		n = len(k.names)
		k.names = append(k.names, name)
	}
	return n, true
}

// read learns how long requests take, and adds up the work that was done since the last call.
func (k *mix) read(sums []probe.KindSums) {
	for n := range min(len(k.names), len(sums)) {
		since := sums[n].Sub(k.last[n])
		if done := int64(since.Completions); done > 0 && since.Residence > 0 {
			mean := since.Residence / time.Duration(done)
			if k.times[n] = append(k.times[n], mean); len(k.times[n]) > timesKept {
				k.times[n] = k.times[n][1:]
			}
			weight := k.serviceTime(n)
			if weight == 0 {
				weight = mean
			}
			k.work += float64(done) * weight.Seconds()
		}
	}
	k.last = sums
}

// serviceTime is how long a request of a kind takes without load: what the configuration says, or the time in the
// fastest seconds.
func (k *mix) serviceTime(n int) time.Duration {
	if k.given[n] > 0 {
		return k.given[n]
	}
	if len(k.times[n]) < timesNeeded {
		return 0
	}
	sorted := slices.Sorted(slices.Values(k.times[n]))
	return sorted[int(math.Ceil(lightShare*float64(len(sorted))))-1]
}

// state is what /metrics shows. Requests come and go between the reading of the sums and of the clock. So an integral
// may seem to shrink by microseconds, which a counter must not.
func (k *mix) state(sums []probe.KindSums, now time.Duration) (out []Kind) {
	for n, name := range k.names {
		if n >= len(sums) {
			break
		}
		s := sums[n].Sub(k.base[n])
		k.queue[n] = max(k.queue[n], s.QueueTime(now))
		out = append(out, Kind{Name: name, KindSums: s, QueueTime: k.queue[n], ServiceTime: k.serviceTime(n)})
	}
	return out
}
