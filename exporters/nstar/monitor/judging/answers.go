// SPDX-License-Identifier: Apache-2.0

package judging

import (
	"math"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/probe"
)

// answers follows how long the requests of a tier take.
type answers struct {
	known  bool
	last   probe.Residences
	at     time.Duration
	counts [probe.Buckets]float64 // decayed
	block  probe.Residences       // since the last block was passed on
	lasted float64                // seconds of block
}

// Answered is how long the requests took that were answered since the last call; false if that is not known.
func (t *Judge) Answered(now time.Duration, all probe.Residences) (told judgement.Answers, ok bool) {
	a := &t.answers
	since, elapsed := all.Sub(a.last), (now - a.at).Seconds()
	known := a.known && elapsed > 0 && all.Sum >= a.last.Sum // else the tier was away and its sums began anew
	a.last, a.at, a.known = all, now, true
	if !known {
		return told, false
	}
	keep := math.Exp2(-elapsed / answersMemory.Seconds())
	for b, n := range since.Counts {
		a.counts[b] = a.counts[b]*keep + float64(n)
	}
	told.Seconds = elapsed
	told.Typical, told.Alike = typical(since)
	told.Center, told.Chance, told.Effective = center(since)
	told.Times = a.times(since, elapsed)
	from := a.patient()
	for b, n := range since.Counts {
		if took := probe.Residence(b); took >= from {
			told.Long += took * float64(n)
		} else {
			told.Quick += took * float64(n)
		}
	}
	return told, true
}

// typical returns the time, in seconds, from which on answers account for half of all the time spent, and how many
// answers took at least half of that time.
func typical(answers probe.Residences) (took, alike float64) {
	all := 0.0
	for b, n := range answers.Counts {
		all += probe.Residence(b) * float64(n)
	}
	rest := all / 2
	for b := probe.Buckets - 1; b >= 0 && (took == 0 || probe.Residence(b) >= took/2); b-- {
		n := float64(answers.Counts[b])
		alike += n
		if rest -= probe.Residence(b) * n; n > 0 && rest <= 0 && took == 0 {
			took = probe.Residence(b)
		}
	}
	return took, alike
}

// center returns Center, Chance and Effective of the answers.
func center(answers probe.Residences) (mean, chance, effective float64) {
	all, weights, squares := 0.0, 0.0, 0.0
	for b, n := range answers.Counts {
		if weight := probe.Residence(b) * float64(n); weight > 0 {
			all, mean = all+weight, mean+weight*math.Log(probe.Residence(b))
		}
	}
	if all == 0 {
		return 0, 0, 0
	}
	mean /= all
	for b, n := range answers.Counts {
		if n > 0 {
			weight, apart := float64(n)*probe.Residence(b)*probe.Residence(b), math.Log(probe.Residence(b))-mean
			weights, squares = weights+weight, squares+weight*(apart*apart+judgement.WithinBucket)
		}
	}
	return mean, squares / (all * all), all * all / weights
}

// times is how long requests took in the block that ends with these answers. It is empty if the block has too few
// answers yet.
func (a *answers) times(since probe.Residences, elapsed float64) (t judgement.Times) {
	a.block, a.lasted = a.block.Add(since), a.lasted+elapsed
	n := a.block.Number()
	if n < blockAnswers {
		return t
	}
	t = judgement.Times{Seconds: a.lasted, Number: float64(n),
		Quartile: probe.Quantile(a.block.Counts[:], 0.25),
		Median:   probe.Quantile(a.block.Counts[:], 0.5)}
	a.block, a.lasted = probe.Residences{}, 0
	return t
}

// median is the time, in seconds, that half of the recent requests took at most; 0 if there were none.
func (a *answers) median() float64 { return probe.Quantile(a.counts[:], 0.5) }

// patient is the time, in seconds, from which on requests wait on purpose; infinite if none do. It is much longer than
// the time that most requests take. Some requests that wait for something new are answered soon. But most of the time
// of such requests is spent in waits of seconds: otherwise waiting would be no gain over asking again.
func (a *answers) patient() float64 {
	from := muchLonger * a.median()
	most, all := 0.0, 0.0
	for b, n := range a.counts {
		if took := probe.Residence(b); took >= from {
			if all += took * n; took >= seconds {
				most += took * n
			}
		}
	}
	if most <= all/2 {
		return math.Inf(1)
	}
	return from
}

const (
	answersMemory = 30 * time.Second // half-life
	blockAnswers  = 20               // so many that quartiles mean something
	muchLonger    = 10
	seconds       = 5.
)
