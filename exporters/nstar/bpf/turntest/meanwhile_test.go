// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// TestRegroupedMeanwhile moves a connection from one station to another and back all the time, on another processor
// than that of its segments: between the look at it and the lock, too. A request that arrives at a station leaves the
// same station, and is counted once.
func TestRegroupedMeanwhile(t *testing.T) {
	const rounds = 40_000
	const tick = 100 * time.Microsecond // all in one ring of windows
	m := loadMachine(t)
	for _, tt := range []struct {
		name     string
		requests int
		ask      func(i uint32) []byte
		answer   func(i uint32) []byte
	}{
		{"one at a time", 1, func(uint32) []byte { return get }, func(uint32) []byte { return ok }},
		{
			"two at once", 2, func(uint32) []byte { return concat(get, get) },
			func(uint32) []byte { return concat(ok, ok) },
		},
		{
			"numbered", 1, func(i uint32) []byte { return kafkaProduce(9, i, 1, 100) },
			func(i uint32) []byte { return kafkaAnswer(i, 20) },
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m.reset(t, TurntestConn{}, 0)
			var now atomic.Int64
			var done atomic.Bool
			var group sync.WaitGroup
			place := func(station uint32) error {
				return m.tryAt(m.objects.TestPlace, packet(ipv4, 0, nil), time.Duration(now.Load()), 0, station)
			}
			check(t, place(1))
			group.Go(func() {
				for i := uint32(0); !done.Load(); i++ {
					if err := place(1 + i%edges); err != nil {
						t.Error(err)
						return
					}
				}
			})
			var sent, got uint32
			for i := range uint32(rounds) {
				now.Add(int64(tick))
				ask, answer := tt.ask(i), tt.answer(i)
				m.run(t, m.objects.TestRequest, packet(ipv4, sent, ask), time.Duration(now.Load()))
				m.run(t, m.objects.TestAnswer, packet(ipv4, got, answer), time.Duration(now.Load()))
				sent += uint32(len(ask))
				got += uint32(len(answer))
			}
			done.Store(true)
			group.Wait()
			m.run(t, m.objects.TestClose, packet(ipv4, 0, nil), time.Duration(now.Load()))

			var arrivals uint64
			for station := 1; station < stations; station++ {
				var sum sums
				for _, w := range m.windows(t, station, ring, 0) {
					sum.Arrivals += w.Arrivals
					sum.Completions += w.Completions
					sum.Aborts += w.Aborts
					sum.Net += w.Net
				}
				if sum.Net != 0 || sum.Arrivals != sum.Completions+sum.Aborts {
					t.Errorf("station %d: %d arrivals, %d completions, %d aborts; %d are left", station, sum.Arrivals,
						sum.Completions, sum.Aborts, sum.Net)
				}
				if sum.Arrivals == 0 {
					t.Errorf("nothing came to station %d", station)
				}
				var state TurntestEdgeState
				check(t, m.objects.EdgeStates.Lookup(uint32(station-1), &state))
				if state.Calls != 0 {
					t.Errorf("station %d: %d calls are outstanding", station, state.Calls)
				}
				arrivals += uint64(sum.Arrivals)
			}
			if want := uint64(rounds * tt.requests); arrivals != want {
				t.Errorf("%d arrivals, want %d", arrivals, want)
			}
		})
	}
}
