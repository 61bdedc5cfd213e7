// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// TestSeveralAtOnce: in an unknown protocol, connections on which requests do not wait for each other's answers are
// not measured any more once that is known. Long requests, long answers, and now and then both are no such thing.
func TestSeveralAtOnce(t *testing.T) {
	const period = 40 * ms
	message := func(k, length int) []byte { return append([]byte{0xf0, 0x0f, byte(k)}, body(length+k%7)...) }
	turns := func(n int, asks, answers func(k int) []time.Duration) (steps []step) {
		for k := range n {
			begin := time.Duration(k) * period
			for _, after := range asks(k) {
				steps = append(steps, at(begin+after).request(message(k, 40)))
			}
			for _, after := range answers(k) {
				steps = append(steps, at(begin+after).answer(message(k, 70)))
			}
		}
		return steps
	}
	once := func(after time.Duration) func(int) []time.Duration {
		return func(int) []time.Duration { return []time.Duration{after} }
	}
	each := func(n int, then func(int) []time.Duration, twice ...time.Duration) func(int) []time.Duration {
		return func(k int) []time.Duration {
			if k%n == 0 {
				return twice
			}
			return then(k)
		}
	}
	m := loadMachine(t)
	for _, tt := range []struct {
		name  string
		steps []step
		known bool
	}{
		{"two at a time", turns(12, each(1, nil, 0, 4*ms), each(1, nil, 9*ms, 15*ms)), true},
		{"nine of these", turns(10, each(1, nil, 0, 4*ms), each(1, nil, 9*ms, 15*ms)), false},
		{"32 threads that share a connection", crossing(400, message), true},
		{"one of four turns is like that", turns(90, each(4, once(0), 0, 4*ms),
			each(4, once(9*ms), 9*ms, 15*ms)), true},
		{"one of twelve", turns(140, each(12, once(0), 0, 4*ms), each(12, once(9*ms), 9*ms, 15*ms)), false},
		{"long requests", turns(60, each(1, nil, 0, 3*ms, 6*ms), once(9*ms)), false},
		{"long answers", turns(60, once(0), each(1, nil, 9*ms, 12*ms, 19*ms)), false},
		{"long requests, and others with long answers", turns(60, each(2, once(0), 0, 3*ms, 6*ms),
			func(k int) []time.Duration { return each(2, once(9*ms), 9*ms, 15*ms)(k + 1) }), false},
		{"parts that come at once", turns(60, each(1, nil, 0, ms/4), each(1, nil, 9*ms, 9*ms+ms/4)), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := scenario{steps: tt.steps}
			m.play(t, s)
			want := outcome{Protocol: protocolNames[auto]}
			if tt.known {
				want = outcome{Protocol: protocolNames[opaque], Multiplexed: 1}
			}
			if got := m.outcome(t, s); got.Protocol != want.Protocol || got.Multiplexed != want.Multiplexed {
				t.Errorf("%s, %d given up", got.Protocol, got.Multiplexed)
			}
		})
	}
}

// crossing are so many requests, on average two at a time, and their answers, each at a time of its own.
func crossing(n int, message func(k, length int) []byte) (steps []step) {
	r := rand.New(rand.NewPCG(1, 2))
	now := time.Duration(0)
	for k := range n {
		now += time.Duration(r.ExpFloat64() * float64(5*ms))
		steps = append(steps, at(now).request(message(k, 40)),
			at(now+ms+time.Duration(r.ExpFloat64()*float64(9*ms))).answer(message(k, 70)))
	}
	slices.SortStableFunc(steps, func(a, b step) int { return int(a.at - b.at) })
	return steps
}
