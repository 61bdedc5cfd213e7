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
	block  probe.Residences       // since the last one was told
	lasted float64                // seconds
}

// Answered is how long the requests took that were answered since it was asked last; false where that is not known.
func (t *Judge) Answered(now time.Duration, all probe.Residences) (told judgement.Answers, ok bool) {
	a := &t.answers
	since, elapsed := all.Sub(a.last), (now - a.at).Seconds()
	known := a.known && elapsed > 0 && all.Sum >= a.last.Sum // else its number's tier came anew
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

// typical is what answers took for which half of the time was spent, in seconds, and how many took half of that at
// least.
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

// times are how long requests took in the block that ends with these answers; nothing if they are too few for that.
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

// median is how long half of the requests took lately, in seconds; 0 while there were none.
func (a *answers) median() float64 { return probe.Quantile(a.counts[:], 0.5) }

// patient is from which time on requests wait on purpose, in seconds; infinite where none do. It is much longer than
// what most requests take. Some of those who wait for something new are told soon, but most of their time is spent in
// waiting for seconds: otherwise it would be no gain over asking again.
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
	blockAnswers  = 20               // of which quartiles mean something
	muchLonger    = 10
	seconds       = 5.
)
