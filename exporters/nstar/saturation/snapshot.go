// SPDX-License-Identifier: Apache-2.0

package saturation

import "math"

// Snapshot is what survives a restart of the exporter. Zero means unknown.
type Snapshot struct {
	Base            float64 `json:"base_seconds,omitempty"`
	MaxThroughput   float64 `json:"max_throughput,omitempty"`
	SaturationPoint float64 `json:"saturation_point,omitempty"`
	Low             float64 `json:"low,omitempty"`
	High            float64 `json:"high,omitempty"`
	Windows         int     `json:"windows,omitempty"`
}

// trust is how many seconds of data a restored speed counts as. vaguest is the smallest spread that is assumed for a
// restored N*.
const (
	trust   = 60
	vaguest = 0.1
)

// Snapshot returns what was learned, to be kept over a restart. It does not contain what the configuration gives.
func (e *Estimator) Snapshot() Snapshot {
	own := *e
	own.given = given{}
	own.limit = 0
	own.light = light{} // too rough to be believed later
	now := own.Estimate()
	zero := func(x float64) float64 {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return 0
		}
		return x
	}
	return Snapshot{
		Base: zero(now.Base), MaxThroughput: zero(now.MaxThroughput), SaturationPoint: zero(now.SaturationPoint),
		Low: zero(now.Low), High: zero(now.High), Windows: now.Windows,
	}
}

// Restore starts from what was known before a restart. New windows refine that, and replace it if they contradict it. A
// snapshot that makes no sense is ignored.
func (e *Estimator) Restore(s Snapshot) {
	f := e.filter
	if f.started {
		return
	}
	n := s.SaturationPoint
	if 1 <= s.Low && s.Low <= n && n <= s.High && s.High <= candidates[points-1] && s.Windows > 0 {
		e.known, e.point, e.low, e.high, e.windows = true, n, s.Low, s.High, s.Windows
		f.prior, f.certainty = math.Log(n), max(math.Log(s.High/s.Low)/(2*1.645), vaguest)
		f.weigh()
	}
	if s.Base > 0 && !math.IsInf(s.Base, 1) {
		for i := range f.learned {
			f.learned[i] = -math.Log(s.Base)
		}
		f.span = trust
	}
}

// given is what the configuration says; 0 means nothing.
type given struct{ Base, SaturationPoint float64 }

// Give sets what the configuration file says of the station, with base in seconds. This overrides what is learned. 0 or
// NaN means not given. An N* below 1 counts as 1.
func (e *Estimator) Give(base, saturationPoint float64) {
	e.given = given{}
	if base > 0 && !math.IsInf(base, 1) {
		e.given.Base = base
	}
	if saturationPoint > 0 && !math.IsInf(saturationPoint, 1) {
		e.given.SaturationPoint = max(1, saturationPoint)
	}
}

// Limit sets the number of processors that the tier may use; 0 means unknown. A tier that is always at its limit has an
// N* of no more than that number, because whatever it waits for has a shorter queue than the tier. Then Low is 1, and
// N* and High are the limit.
func (e *Estimator) Limit(processors float64) { e.limit = processors }
