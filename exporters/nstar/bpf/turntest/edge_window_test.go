// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/cilium/ebpf"
	"github.com/google/go-cmp/cmp"
)

// edgeWindow is what an edge's slot says of one window.
type edgeWindow struct {
	Peak, Used, Gaps, Opened int
	GapTime                  time.Duration
	Patient                  int // requests that wait on purpose
	Patience                 time.Duration
	Commits                  int
}

// edgeWindows reads the windows 0 to n-1 after the script's time 0. A peak of another window is none.
func (m *machine) edgeWindows(t testing.TB, edge, n int) []edgeWindow {
	t.Helper()
	slots, err := mapped[TurntestEdgeSlot](m.objects.EdgeSlots)
	check(t, err)
	windows := make([]edgeWindow, n)
	first := int(epoch / width)
	for w := range windows {
		s := slots[edge*ring+(first+w)%ring]
		windows[w] = edgeWindow{
			Used: int(s.Used), Gaps: int(s.Gaps), Opened: int(s.Opened), GapTime: time.Duration(s.GapTime),
			Patient: int(s.Patient), Patience: time.Duration(s.Patience), Commits: int(s.Commits),
		}
		if uint32(s.Peak>>32) == uint32(first+w) {
			windows[w].Peak = int(int32(s.Peak))
		}
	}
	return windows
}

// crew drives several connections, each with sequence numbers of its own.
type crew struct {
	*machine
	t   testing.TB
	due [16][2]uint32
}

func (c *crew) place(now time.Duration, connection, station uint32) {
	c.t.Helper()
	c.runAt(c.t, c.objects.TestPlace, packet(ipv4, 0, nil), now, connection, station)
}

func (c *crew) close(now time.Duration, connection uint32) {
	c.t.Helper()
	c.runAt(c.t, c.objects.TestClose, packet(ipv4, 0, nil), now, connection, 0)
}

func (c *crew) send(p *ebpf.Program, direction direction, now time.Duration, connection uint32, payload []byte) {
	c.t.Helper()
	due := &c.due[connection][direction]
	c.runAt(c.t, p, packet(ipv4, *due, payload), now, connection, 0)
	*due += uint32(len(payload))
}

func (c *crew) request(now time.Duration, connection uint32) {
	c.t.Helper()
	c.send(c.objects.TestRequest, towardsServer, now, connection, get)
}

func (c *crew) answer(now time.Duration, connection uint32) {
	c.t.Helper()
	c.send(c.objects.TestAnswer, towardsClient, now, connection, ok)
}

func newCrew(t testing.TB) *crew {
	m := loadMachine(t)
	m.reset(t, TurntestConn{}, 0)
	return &crew{machine: m, t: t}
}

func (c *crew) expect(edge int, calls int, want []edgeWindow) {
	c.t.Helper()
	if diff := cmp.Diff(want, c.edgeWindows(c.t, edge, len(want))); diff != "" {
		c.t.Errorf("edge %d (-want +got):\n%s", edge, diff)
	}
	if got := c.edge(c.t, uint32(edge)).Calls; got != int64(calls) {
		c.t.Errorf("edge %d has %d calls outstanding now, want %d", edge, got, calls)
	}
}

func TestEdgeWindows(t *testing.T) {
	c := newCrew(t)
	for i := range uint32(3) {
		c.place(time.Duration(i)*ms, i, 1)
	}
	c.request(10*ms, 0)
	c.request(11*ms, 1)
	c.answer(12*ms, 0)
	c.request(15*ms, 0) // gap of 3 ms, the connection is used already
	c.answer(20*ms, 1)
	c.answer(60*ms, 0) // window 1: nothing begins
	c.request(110*ms, 0)
	c.request(111*ms, 1) // gaps of 50 and 91 ms
	c.request(112*ms, 2)
	c.answer(113*ms, 2)
	c.close(120*ms, 2)
	c.close(130*ms, 1) // in flight
	c.answer(160*ms, 0)
	c.expect(0, 0, []edgeWindow{
		{Peak: 2, Used: 2, Gaps: 1, GapTime: 3 * ms, Opened: 3},
		{},
		{Peak: 3, Used: 3, Gaps: 2, GapTime: 141 * ms, Opened: -2},
		{},
	})
	c.expect(1, 0, []edgeWindow{{}, {}, {}, {}})
}

// The second segment of an answer shows that its call was outstanding until then.
func TestEdgePeakOfLongAnswers(t *testing.T) {
	c := newCrew(t)
	c.place(0, 0, 1)
	c.place(0, 1, 1)
	c.request(10*ms, 0)
	c.answer(60*ms, 0)
	c.request(70*ms, 1)
	c.answer(80*ms, 0)
	c.answer(90*ms, 1)
	c.expect(0, 0, []edgeWindow{{Peak: 1, Used: 1, Opened: 2}, {Peak: 2, Used: 1}, {}})
}

// A connection that goes to another station, or to none, takes all that it counts for with it.
func TestEdgeRegrouped(t *testing.T) {
	c := newCrew(t)
	c.place(1*ms, 0, 1)
	c.place(2*ms, 0, 1) // looked up again
	c.request(10*ms, 0)
	c.place(60*ms, 0, 2)
	c.answer(61*ms, 0) // the answer to a call that was begun elsewhere
	c.request(110*ms, 0)
	c.answer(112*ms, 0)
	c.place(120*ms, 0, 0) // a tier's socket after all
	c.request(160*ms, 0)
	c.close(170*ms, 0)
	c.close(171*ms, 0) // closed is closed
	c.expect(0, 0, []edgeWindow{{Peak: 1, Used: 1, Opened: 1}, {Opened: -1}, {}, {}})
	c.expect(1, 0, []edgeWindow{{}, {Opened: 1}, {Peak: 1, Used: 1, Opened: -1}, {}})
}

// A window of the ring's next round begins again, also with a smaller peak.
func TestEdgeRing(t *testing.T) {
	c := newCrew(t)
	for i := range uint32(5) {
		c.place(0, i, 1)
		c.request(10*ms, i)
		c.answer(20*ms, i)
	}
	round := ring * width
	c.request(round+10*ms, 0)
	slots, err := mapped[TurntestEdgeSlot](c.objects.EdgeSlots)
	check(t, err)
	if s := slots[int(epoch/width)%ring]; int32(s.Peak) != 1 || uint32(s.Peak>>32) != uint32((epoch+round)/width) {
		t.Errorf("peak %d of window %d", int32(s.Peak), s.Peak>>32)
	}
}

// TestEdgeBooks does anything at all with many connections of two edges: nothing may leak or fall below zero.
func TestEdgeBooks(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 3))
		c := newCrew(t)
		type truth struct {
			station        uint32 // 0: closed
			inFlight, used bool
			window         int
		}
		var connections [16]truth
		const windows = 60
		want := [edges][windows]edgeWindow{}
		var calls, open [edges]int
		now := time.Duration(0)
		for now < (windows-1)*width {
			now += time.Duration(rng.Int64N(int64(6 * ms)))
			w, i := int(now/width), uint32(rng.IntN(len(connections)))
			k := &connections[i]
			if k.station == 0 {
				k.station = 1 + uint32(rng.IntN(edges))
				c.place(now, i, k.station)
				want[k.station-1][w].Opened++
				open[k.station-1]++
				continue
			}
			e := k.station - 1
			switch n := rng.IntN(20); {
			case n == 0:
				c.close(now, i)
				want[e][w].Opened--
				open[e]--
				if k.inFlight {
					calls[e]--
				}
				*k = truth{}
			case n < 12 && !k.inFlight:
				c.request(now, i)
				calls[e]++
				want[e][w].Peak = max(want[e][w].Peak, calls[e])
				if !k.used || k.window != w {
					want[e][w].Used++
				}
				k.inFlight = true
			case k.inFlight:
				c.answer(now, i)
				calls[e]--
				k.inFlight, k.used, k.window = false, true, w
			}
		}
		for e := range edges {
			got := c.edgeWindows(t, e, windows)
			opened := 0
			for w := range got {
				opened += got[w].Opened
				got[w].Gaps, got[w].GapTime = 0, 0
			}
			state := c.edge(t, uint32(e))
			if diff := cmp.Diff(want[e][:], got); diff != "" || opened != open[e] || state.Calls != int64(calls[e]) {
				t.Fatalf("seed %d, edge %d: %d open, want %d; %d calls outstanding, want %d (-want +got):\n%s",
					seed, e, opened, open[e], state.Calls, calls[e], diff)
			}
		}
	}
}
