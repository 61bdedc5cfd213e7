// SPDX-License-Identifier: Apache-2.0

package why

import "time"

const (
	// throttledSpan is the time span for which a quota is examined: ten of its usual periods.
	throttledSpan = time.Second
	// throttledWholly is the share of that span from which on all such waiting is the quota's fault. A tier that
	// was throttled for a tenth of the time has used up its quota in one period after another, or early in one of
	// them.
	throttledWholly = 0.1
)

// throttle takes the share of the next window.
func (t *Tier) throttle(share float64) {
	t.throttled = append(t.throttled, share)
	if over := len(t.throttled) - max(1, int(throttledSpan/t.width)); over > 0 {
		t.throttled = t.throttled[over:]
	}
}

// Quota is the share of the tier's waiting for which a quota is to blame, in the window that is judged now: causes are
// read when states are known.
func (t *Tier) Quota() float64 {
	if t == nil {
		return 0
	}
	sum := 0.0
	for _, share := range t.throttled {
		sum += share
	}
	return min(1, sum/throttledSpan.Seconds()*t.width.Seconds()/throttledWholly)
}
