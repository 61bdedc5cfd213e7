// SPDX-License-Identifier: Apache-2.0

package judgement

import "time"

// errands are calls on a tier's own account, for none of its requests: on connections that listen for events, of jobs,
// and of requests whose clients have given up. They are outstanding while the tier has no request.
type errands struct {
	calls float64 // outstanding, in the mean over about the last 100 windows
	since float64 // windows since the last one without a request
	most  float64 // calls outstanding at most since the present second began
	left  int     // windows that this second still has
	each  int     // windows of a second
}

func newErrands(width time.Duration) errands {
	n := max(1, int(time.Second/width))
	return errands{left: n, each: n}
}

// A window without a request stands for those before it that had some, up to mostWeight of the mean.
const (
	errandWeight = 0.01
	mostWeight   = 0.5
)

// add takes the calls outstanding in a window, with a request in the tier or without. There can't be more errands than
// calls: what many clients left behind that gave up at once is forgotten as soon as it has ended, even if a tier hardly
// ever has no request.
func (e *errands) add(outstanding float64, idle bool) {
	e.since++
	if idle {
		e.calls += (outstanding - e.calls) * min(errandWeight*e.since, mostWeight)
		e.since = 0
	}
	e.most = max(e.most, outstanding)
	if e.left--; e.left == 0 {
		e.calls = min(e.calls, e.most)
		e.most, e.left = 0, e.each
	}
}
