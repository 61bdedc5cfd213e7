// SPDX-License-Identifier: Apache-2.0

package judgement

import "time"

// Correlation follows how a tier's own queue moves with the share of a cause, over the last 12 s of windows.
type Correlation struct{ own, share track }

// NewCorrelation makes a correlation for windows of the given width.
func NewCorrelation(width time.Duration) *Correlation {
	return &Correlation{own: newTrack(width), share: newTrack(width)}
}

// Add takes the next window.
func (c *Correlation) Add(own, share float64) {
	c.own.add(own)
	c.share.add(share)
}

// Pearson is the coefficient. It is NaN in the first 12 s, and if one of the two did not change.
func (c *Correlation) Pearson() float64 { return correlation(&c.own, &c.share) }
