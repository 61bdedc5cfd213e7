// SPDX-License-Identifier: Apache-2.0

package judgement

// onDisk finds requests that wait for the tier's disk. In a database, a request may need a page that another request
// reads, or its commit may be written by another request. It then sleeps until that one is done. No thread waits for
// the disk on its behalf, but the request waits for the disk all the same.
type onDisk struct {
	// Threads that wait for the disk beyond the number of requests: page cleaners, checkpoints, writers of logs.
	// They also do it beside many requests, and keep none of them waiting. Decayed sums over windows with few
	// requests.
	beside, windows float64
}

// learn takes a window: threads at the disk beyond the number of its requests do not wait there for requests.
func (d *onDisk) learn(own float64, w Work) {
	if own >= 1 {
		return
	}
	const keep = 1 - 1./besideWindows
	d.windows = d.windows*keep + 1
	d.beside = d.beside*keep + max(0, w.Disk-own)
}

// background is how many threads wait for the disk beside requests.
func (d *onDisk) background() float64 { return d.beside / max(1, d.windows) }

// stalls reports whether the disk explains a window in which requests waited and nothing went on. That is so if a
// thread waited for the disk, and the tier did not compute, was not stopped, and did not lack its processors.
func (d *onDisk) stalls(w Work) bool {
	return w.Disk-d.background() >= stalled && w.Ran < runs && w.Stopped < pauseShare && !w.starves()
}

// of is how many requests waited for the disk in the last second, on average, and their share of the excess for which
// neighbours are not to blame. Threads that run or are ready to run do not wait for the disk, so the rest of the own
// queue is an upper limit. What waits for processors comes first because all of it is excess, while a visit to the disk
// without queueing belongs to the work of a request.
func (d *onDisk) of(c *contention) (requests, share float64) {
	sum, n := c.sum(), float64(len(c.recent))
	still := max(0, sum.own-sum.Ran-sum.Waited)
	direct := min(still, sum.Disk-n*d.background())
	if direct <= 0 {
		return 0, 0
	}
	all := min(direct+min(still-direct, besideOne*direct), sum.excess-sum.Waited)
	if rest := sum.excess - sum.theirs; all > 0 && rest > 0 {
		return all / n, min(1, all/rest)
	}
	return 0, 0
}

// chargeDisk moves the share of the requests that wait for the disk away from what looks like more work than the tier
// can do. If it is not known how long a request takes (known is false), a few requests at the disk may only be doing
// their work. Then charges of unknown cause are moved only if there are several such requests.
func (j *Judged) chargeDisk(requests, share float64, known bool) {
	moved := 0.0
	for i := range j.Charges {
		switch c := &j.Charges[i]; {
		case c.Cause == Demand, c.Cause == Slow, c.Cause == UnknownCause && (known || requests >= asleepExcess):
			moved += share * c.Queue
			c.Queue -= share * c.Queue
		}
	}
	j.add(Disk, "", moved)
}

const (
	// besideOne is how many sleeping requests at most wait for a page or a commit, for each request that reads or
	// writes it. Measured with MariaDB, 6 MB of buffer pool and a disk at its limit: 6 sleep beside 3.4 at the
	// disk. Requests that sleep beyond that number have another reason.
	besideOne = 2
	// stalled is the share of a window without progress from which on a thread's wait for the disk explains the
	// window.
	stalled       = 0.3
	besideWindows = 1200. // a minute of 50 ms
)
