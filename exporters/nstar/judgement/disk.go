// SPDX-License-Identifier: Apache-2.0

package judgement

// onDisk tells requests that wait for the tier's disk. In a database a request that needs a page which another one
// reads, or whose commit another one writes, sleeps until that one has it: no thread waits for the disk in its name,
// and it waits for the disk all the same.
type onDisk struct {
	// Threads that wait for the disk though there are fewer requests than that: page cleaners, checkpoints, writers of
	// logs. They do it beside many requests, too, and keep none of them. Decayed sums, of windows with few requests.
	beside, windows float64
}

// learn takes a window: requests beyond those in it do not wait for the disk.
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

// stalls reports whether a window in which requests waited and nothing went on was the disk's: a thread waited for it,
// and nobody stopped the tier, computed or kept it from its processors.
func (d *onDisk) stalls(w Work) bool {
	return w.Disk-d.background() >= stalled && w.Ran < runs && w.Stopped < pauseShare && !w.starves()
}

// of is how many requests waited for the disk in the last second, on average, and their share of the excess that is not
// the neighbours' fault. Threads that run or are ready to wait for no disk, so that what is left of the own queue
// bounds it; and what waits for processors comes first, since it is excess for sure, where a visit to the disk that is
// not queued for is a part of what a request takes.
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

// chargeDisk moves the share of those who wait for the disk from what looks like more work than the tier can do. Where
// it is not known what a request takes, a few that are at the disk may do nothing but their work, and what cannot be
// told is theirs only if they are several.
func (j *Judged) chargeDisk(requests, share float64, known bool) {
	moved := 0.0
	for i := range j.Charges {
		switch c := &j.Charges[i]; {
		case c.Cause == Demand, c.Cause == Slow, c.Cause == Untold && (known || requests >= asleepExcess):
			moved += share * c.Queue
			c.Queue -= share * c.Queue
		}
	}
	j.add(Disk, "", moved)
}

const (
	// besideOne is how many sleeping requests wait for a page or a commit, for each that reads or writes it, at most.
	// Measured with MariaDB, 6 MB of buffer pool and a disk at its limit: 6 sleep beside 3.4 at the disk. What sleeps
	// beyond that has another reason.
	besideOne = 2
	// stalled is the share of a window without progress from which a thread's wait for the disk explains it.
	stalled       = 0.3
	besideWindows = 1200. // a minute of 50 ms
)
