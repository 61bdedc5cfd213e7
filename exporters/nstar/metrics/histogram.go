// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"math"
	"sort"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"

	"github.com/nstar-project/nstar/exporters/nstar/monitor"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Load bins and residence buckets are both quarter octaves, which is schema 2 of native histograms: their counts are
// exported as they are, and every octave once more as a classic bucket for servers without native histograms.
const (
	schema          = 2
	bucketsPerPower = 4
)

var (
	queueLengthDesc = desc("tier_queue_length", "Mean queue lengths of the tier's windows.", tier)
	residenceDesc   = desc("tier_residence_time_seconds",
		"Time in the tier, of requests whose answer is known to have ended.", tier)
)

// quarterOctaves is a histogram whose bucket i ends at 2^(i/4).
type quarterOctaves struct {
	desc    *prometheus.Desc
	labels  []string
	zero    uint64 // observations up to the zero bucket's bound
	bound   float64
	buckets map[int]int64
	sum     float64
	powers  [2]int // classic buckets from 2^powers[0] to 2^powers[1]
}

func (q quarterOctaves) Desc() *prometheus.Desc { return q.desc }

// Write fills in the native form and adds the classic buckets.
func (q quarterOctaves) Write(out *dto.Metric) error {
	count := q.zero
	indices := make([]int, 0, len(q.buckets))
	for i, n := range q.buckets {
		count += uint64(n)
		indices = append(indices, i)
	}
	sort.Ints(indices)
	native, err := prometheus.NewConstNativeHistogram(q.desc, count, q.sum, q.buckets, nil, q.zero, schema, q.bound,
		time.Time{}, q.labels...)
	if err != nil {
		return err
	}
	if err := native.Write(out); err != nil {
		return err
	}
	out.Histogram.CreatedTimestamp = nil // otherwise the year 1
	cumulative, next := q.zero, 0
	for power := q.powers[0]; power <= q.powers[1]; power++ {
		for next < len(indices) && indices[next] <= power*bucketsPerPower {
			cumulative += uint64(q.buckets[indices[next]])
			next++
		}
		le, n := math.Exp2(float64(power)), cumulative
		out.Histogram.Bucket = append(out.Histogram.Bucket, &dto.Bucket{UpperBound: &le, CumulativeCount: &n})
	}
	return nil
}

// queueHistogram shows the load bins: the windows by their mean queue length.
func queueHistogram(t monitor.Tier, width time.Duration) prometheus.Metric {
	q := quarterOctaves{
		desc: queueLengthDesc, labels: []string{t.App, t.Tier},
		bound: window.LowestBound, buckets: make(map[int]int64), powers: [2]int{-2, 10},
	}
	for b, l := range t.Totals.Load {
		q.sum += float64(l.QueueTime) / float64(width)
		if i, ok := window.BinExponent(b); ok {
			q.buckets[i] += int64(l.Windows)
		} else {
			q.zero += l.Windows
		}
	}
	return q
}

// residenceUnit is the exponent of the unit of residence buckets, 2^-30 s.
const residenceUnit = -30

// residenceHistogram shows the kernel side's residence buckets.
func residenceHistogram(t monitor.Tier) prometheus.Metric {
	q := quarterOctaves{
		desc: residenceDesc, labels: []string{t.App, t.Tier},
		bound: math.Exp2(residenceUnit), buckets: make(map[int]int64), powers: [2]int{-13, 4},
		sum: t.Residences.Sum.Seconds(),
	}
	for b, n := range t.Residences.Counts {
		switch {
		case n == 0:
		case b == 0:
			q.zero = n
		default:
			q.buckets[b+residenceUnit*bucketsPerPower] = int64(n)
		}
	}
	return q
}
