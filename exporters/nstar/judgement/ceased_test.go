// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"math"
	"testing"
	"time"
)

// Most requests call a database over a pool, others do not. The pool's connections are all lost at once, so that those
// that need one wait until they give up after ten seconds. They do not wait on purpose, although all wait equally long
// while others are quick. If nobody asks for the database any more, while other requests wait for events, nothing is
// wrong.
func TestCeased(t *testing.T) {
	const begin, giveUp = 40, 10 // seconds
	for name, tt := range map[string]struct {
		wait   bool    // for a connection
		open   float64 // connections
		stands bool    // nothing leaves the tier any more, after three seconds
		atOnce bool    // or at once
		shared bool    // a cache behind seems to answer several requests at once
		stuck  float64 // calls to a mail server that get no answer
		after  float64 // seconds after the first request that gets no connection
		leaked bool
	}{
		"a leaked pool":          {wait: true, open: 16, leaked: true},
		"beside a cache":         {wait: true, open: 16, shared: true, leaked: true},
		"it takes all workers":   {wait: true, open: 16, stands: true, leaked: true},
		"it holds up its caller": {wait: true, open: 16, stands: true, stuck: 8, after: 8, leaked: true},
		"who has connections":    {wait: true, open: 16, stands: true, stuck: 16},
		"nothing goes on":        {wait: true, open: 16, stands: true, atOnce: true},
		"the database is gone":   {wait: true},
		"others wait for events": {open: 16},
	} {
		t.Run(name, func(t *testing.T) {
			tier := NewTier(testWidth)
			tier.Give(0.004, 40)
			charged, all := map[Cause]float64{}, 0.0
			for i := range int64(90 * time.Second / testWidth) {
				at, lost := float64(i)*testWidth.Seconds(), 0.0
				w := Window{Index: i, Queue: 0.08, Completions: 12, GC: math.NaN()}
				c := Calls{To: "db", Begun: 10, Answered: 10, Outstanding: 0.02, Peak: 2, Connections: 16, Used: 6}
				switch {
				case at < begin:
				case tt.wait: // ten requests a window wait for a connection
					lost = 10 * min(at-begin, giveUp) / testWidth.Seconds()
					w.Completions = 2
					if at-begin > giveUp {
						w.Completions = 12
					}
					if tt.stands && (tt.atOnce || at >= begin+3) {
						w.Completions = 0
					}
					c = Calls{To: "db", Connections: tt.open}
				default:
					w.Completions = 2
					c = Calls{To: "db", Connections: 16}
				}
				if !tt.wait {
					lost = 300 // all the time
				}
				w.Queue += lost
				w.Calls = []Calls{c}
				if tt.shared {
					w.Calls = append(w.Calls, Calls{To: "cache", Begun: 2, Answered: 2, Outstanding: 0.01, Peak: 1,
						Connections: 4, Used: 1})
					for _, d := range tier.destinations {
						if d.to == "cache" {
							d.sharedAnswers = severalAtOnce
						}
					}
				}
				if tt.stuck > 0 {
					mail := Calls{To: "mail", Begun: 2, Answered: 2, Outstanding: 0.02, Peak: 1, Connections: 20,
						Used: 2}
					if n := tt.stuck; at >= begin+tt.after {
						mail = Calls{To: "mail", Outstanding: n, Peak: n, Connections: 20, Used: n}
						w.Queue += n
					}
					w.Calls = append(w.Calls, mail)
				}
				if judged := i - int64(lag/testWidth); judged >= 0 {
					tier.SetWork(Work{Index: judged, Ran: 0.04, Asleep: lost})
				}
				if i%20 == 0 {
					a := Answers{Seconds: 1, Quick: 40 * 0.004}
					if !tt.wait {
						a.Long = 300
					} else if at > begin+giveUp {
						a.Long = 200 * giveUp
					}
					tier.SetAnswers(a)
				}
				_, _, j, ok := tier.Add(w)
				if !ok || float64(j.Index)*testWidth.Seconds() < begin+5 {
					continue
				}
				all += w.Queue
				for _, c := range j.Charges {
					charged[c.Cause] += c.Queue
					if c.Cause == SoftResource && c.To != "db" {
						t.Fatal("a place at ", c.To)
					}
				}
			}
			if places := charged[SoftResource]; tt.leaked && places < 0.9*all || !tt.leaked && places > 0 {
				t.Errorf("charged %v of %v", charged, all)
			}
		})
	}
}

// severalAtOnce is what is learned if each answer, in every other window, lets two requests go.
var severalAtOnce = sharedAnswers{keep: 1, waited: 1, answered: 100, n: 100, answers: 50, left: 100, answerSquares: 50,
	leftSquares: 200, answersLeft: 100}

// An application changes to another database. Requests wait for a moment, and the connections to the first database
// stay open. What waits two minutes later does not wait for these.
func TestCeasedForGood(t *testing.T) {
	var c ceased
	found := 0
	for i := range int(180 * time.Second / testWidth) {
		calls, waiting := Calls{Connections: 16}, 0.5
		switch at := float64(i) * testWidth.Seconds(); {
		case at < 40:
			calls.Begun = 10
		case at < 44, at >= 160:
			waiting = 300
		}
		if c.look(calls, 0, 12, waiting, testWidth) {
			found = i
		}
	}
	if at := float64(found) * testWidth.Seconds(); at < 43 || at > 130 {
		t.Errorf("the last one is found after %.0f s", at)
	}
}
