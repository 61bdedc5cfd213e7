// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"

	"github.com/nstar-project/nstar/exporters/nstar/saturation"
)

// Estimate is what is known of the tier's curve. If the tier's requests sleep as a rule, and are few, there is no
// saturation point. Requests that sleep on purpose wait for no other request, so more of them could sleep at the same
// time, however many seem to be served at a time.
func (t *Tier) Estimate() saturation.Estimate {
	e := t.estimate
	learned := e.Low < e.High // and not given by the configuration
	if e.Status == saturation.Known && learned && t.sleep.usual() && t.level < asleepExcess {
		nan := math.NaN()
		e.Status = saturation.NeverNearLimit
		e.MaxThroughput, e.SaturationPoint, e.Low, e.High = nan, nan, nan, nan
	}
	return e
}

// SetProcessors says how many processors the tier may use; 0 = unknown.
func (t *Tier) SetProcessors(n float64) { t.processors = n }

// Give sets what the configuration says; 0 means not given.
func (t *Tier) Give(base, saturationPoint float64) { t.curve.Give(base, saturationPoint) }

// Knowledge is what survives a restart of the exporter.
type Knowledge struct {
	Tier  saturation.Snapshot            `json:"tier"`
	Calls map[string]saturation.Snapshot `json:"calls,omitempty"`
}

// Knowledge is what the tier has learned.
func (t *Tier) Knowledge() Knowledge {
	k := Knowledge{Tier: t.curve.Snapshot(), Calls: make(map[string]saturation.Snapshot)}
	for _, d := range t.destinations {
		k.Calls[d.to] = d.curve.Snapshot()
	}
	return k
}

// Remember starts from what was known before a restart.
func (t *Tier) Remember(k Knowledge) {
	t.curve.Restore(k.Tier)
	for to, s := range k.Calls {
		t.destination(to).curve.Restore(s)
	}
	t.refresh()
}

// Limit is the cap on the calls outstanding to a destination; false if none was seen.
func (t *Tier) Limit(to string) (float64, bool) {
	for _, d := range t.destinations {
		if d.to == to && !d.sharedAnswers.several() && !d.cap.mayBeShared() {
			return d.cap.found()
		}
	}
	return 0, false
}

// track stores a window for the correlations.
func (t *Tier) track(p pending) {
	for i, d := range t.destinations {
		if t.calls[d.to] == nil { // first call to it: from here on in step with the other tracks
			fresh := newTrack(t.width)
			fresh.next, fresh.full = t.own.next, t.own.full
			t.calls[d.to] = &fresh
		}
		t.calls[d.to].add(p.outstanding[i])
		d.turns.look(p.own, p.outstanding[i])
	}
	t.own.add(p.own)
	t.gc.add(zeroIfNaN(p.GC))
}

// MovesWithCalls is the correlation of the own queue with the calls outstanding at a destination over the last 12 s. It
// is clearly negative if the two take turns (RAB Figure 6a). It is NaN if one of them did not change.
func (t *Tier) MovesWithCalls(to string) float64 {
	calls := t.calls[to]
	if calls == nil {
		return math.NaN()
	}
	return correlation(&t.own, calls)
}

// MovesWithCollections is the correlation of the own queue with the share of garbage collection over the last 12 s (RAB
// Figure 6b). NaN without collections.
func (t *Tier) MovesWithCollections() float64 { return correlation(&t.own, &t.gc) }
