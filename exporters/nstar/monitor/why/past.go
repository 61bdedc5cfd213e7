// SPDX-License-Identifier: Apache-2.0

package why

import (
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/samples"
)

// Past is a tier's window whose causes are read while a later window is judged, because causes are known later than
// queues.
type Past struct {
	causes.Window
	Work *judgement.Work // what the tier's threads did; nil if it is not known
	noted
	shares []causes.Share
	end    time.Duration // window clock
}

// lag is by how many windows causes are read later than queues.
func (t *Tier) lag() int64 { return int64(causes.Lag / t.width) }

// noted is what is known of a window before its causes are known.
type noted struct {
	own         float64       // own queue
	Completions float64       // requests
	InTier      time.Duration // time that these spent in the tier, added up
}

// Note takes the own queue of a window whose causes are read later, how many requests the window completed, and the sum
// of the times that these spent in the tier.
func (t *Tier) Note(index int64, own, completions float64, inTier time.Duration) {
	if t != nil {
		t.noted[index] = noted{own, completions, inTier}
		t.stay.add(own*t.width.Seconds(), completions, t.width)
	}
}

// ByCore reports whether it is measured on which processors the tier runs. This is known from the tier's first past
// window on.
func (t *Tier) ByCore() bool { return t.place != nil && t.place.byCore }

// Cores returns on which processors the tier ran in a past window; nil if it ran on none, or if that is not measured.
func (t *Tier) Cores(p Past) []causes.Core { return t.causes.Cores(t.tier.Station, p.Index) }

// stay is how long requests stay in a tier, by Little's law, over about the last ten seconds.
type stay struct{ seconds, completions float64 } // of requests in the tier; decayed

const stayMemory = 10 * time.Second

func (s *stay) add(seconds, completions float64, width time.Duration) {
	keep := 1 - float64(width)/float64(stayMemory)
	s.seconds, s.completions = s.seconds*keep+seconds, s.completions*keep+completions
}

// mean is 0 if there were no requests. If hardly any request is completed any more, it is long, but never too long for
// its type.
func (s *stay) mean() time.Duration {
	const fewest = 0.01
	return time.Duration(s.seconds / max(s.completions, fewest) * float64(time.Second))
}

// LookBack reads the causes of a past window, at the time when the window with the given index is judged. It also keeps
// account of which programs had the processors and disks for which the tier waited. It returns false if causes are not
// measured or the past window was skipped. offset is that of the window clock to the monotonic clock.
func (t *Tier) LookBack(index int64, offset time.Duration) (Past, bool) {
	if t == nil {
		return Past{}, false
	}
	t.causes.Look(t.tier, index+int64(t.settle/t.width))
	of := index - t.lag()
	past, measured := t.noted[of]
	for i := range t.noted {
		if i <= of { // also windows that were skipped
			delete(t.noted, i)
		}
	}
	if !measured {
		return Past{}, false
	}
	end := time.Duration(of+1) * t.width
	to := end - offset
	window := causes.Window{Index: of, From: to - t.width, To: to, Own: past.own, Residence: t.stay.mean()}
	account := t.causes.Account(t.tier, window)
	return Past{window, t.work(account.Work, window), past, account.Shares, end}, true
}

// work is what the judge of the next window needs to know.
func (t *Tier) work(work *causes.Work, w causes.Window) *judgement.Work {
	if work == nil {
		return nil
	}
	taken := time.Duration(0)
	for _, n := range work.Neighbours {
		if !n.Own {
			taken += n.Time
		}
		t.neighbours.Add(n, w.To)
	}
	t.followDisk(work.Disk, w.To)
	share := func(d time.Duration) float64 { return d.Seconds() / t.width.Seconds() }
	return &judgement.Work{
		Index: w.Index, Ran: share(work.Ran), Waited: share(work.Waited), Taken: share(taken),
		Disk: share(work.OnDisk), Asleep: work.Asleep, Locked: work.Locked, Unaccepted: work.Unaccepted,
		Unread:  work.Unread,
		Refused: work.Refused, Stopped: work.Stopped,
	}
}

// Take adds the causes of a past window, and makes a sample of them. stood says that it is known by now that the tier
// stood still in that window.
func (t *Tier) Take(p Past, stood bool) samples.Causes {
	seconds := t.width.Seconds()
	if stood {
		t.standstill.Seconds += seconds
	}
	for _, s := range p.shares {
		if s.Cause == causes.Throttled {
			t.throttle(s.Ratio)
		}
		t.seconds[s.Cause] += s.Ratio * seconds
		if stood {
			t.standstill.Causes[s.Cause] += s.Ratio * seconds
		}
		if t.with[s.Cause] == nil {
			t.with[s.Cause] = judgement.NewCorrelation(t.width)
		}
		t.with[s.Cause].Add(p.Own, s.Ratio)
	}
	t.followPlacement(p.Index)
	return t.sample(p.end, p.shares)
}

// sample is the shares of a window for /windows.
func (t *Tier) sample(end time.Duration, shares []causes.Share) samples.Causes {
	ratios, same := make([]float32, len(shares)), len(shares) == len(t.kinds)
	for i, s := range shares {
		ratios[i] = float32(s.Ratio)
		same = same && t.kinds[i].Name == s.Cause
	}
	if !same {
		t.kinds = make([]samples.Cause, len(shares)) // windows that were handed out keep the old slice
		for i, s := range shares {
			t.kinds[i] = samples.Cause{Name: s.Cause, Help: s.Help}
		}
	}
	return samples.Causes{App: t.tier.App, Tier: t.tier.Name, End: end, Kinds: t.kinds, Ratios: ratios}
}
