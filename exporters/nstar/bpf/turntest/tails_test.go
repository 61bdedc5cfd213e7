// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"testing"
	"time"
)

// Messages of Firebird: op_execute, its op_response, and op_free_statement, whose answer comes with the next one.
var (
	fbExecute  = append([]byte{0, 0, 0, 63}, make([]byte, 36)...)
	fbResponse = append([]byte{0, 0, 0, 9}, make([]byte, 28)...)
	fbFree     = []byte{0, 0, 0, 67, 0, 0, 0, 1, 0, 0, 0, 1}
)

// TestTails: a message in an unknown protocol that is not answered before its client goes on is known after eight of
// these on all connections of a station, and stands in no queue from then on.
func TestTails(t *testing.T) {
	const period = 40 * ms
	// rounds plays so many requests that are answered after 5 ms, each with a message behind it. Until the first are
	// known, the message stands there until the next answer.
	rounds := func(n int) (steps []step, want []turn) {
		for k := range n {
			begin := moment(time.Duration(k) * period)
			steps = append(steps, begin.request(fbExecute), (begin + moment(5*ms)).answer(fbResponse))
			steps = append(steps, (begin + moment(6*ms)).request(fbFree))
			from := time.Duration(begin)
			if k > 0 && k <= 8 {
				from += 6*ms - period
			}
			want = append(want, served(from, time.Duration(begin)+5*ms))
		}
		return steps, want
	}
	const end = 12 * period
	steps, want := rounds(12)
	want[11].final = false
	last, wanted := rounds(12)
	// an answer after all: then it stands in the queue again, and the next eight must show it
	last = append(last, at(end-period+8*ms).answer(fbResponse), at(end).request(fbExecute),
		at(end+5*ms).answer(fbResponse), at(end+6*ms).request(fbFree))
	wanted[11] = served(11*period, end-period+8*ms)
	wanted = append(wanted, served(end, end+5*ms), waiting(end+6*ms))
	stands, standing := rounds(12)
	stands = append(stands, at(end).request(fbFree), at(end+period).request(fbFree))
	standing = append(standing, waiting(end))
	parts, whole := []step(nil), []turn(nil)
	for k := range 12 {
		begin := time.Duration(k) * period
		parts = append(parts, at(begin).request(fbFree), at(begin+ms/2).request(fbExecute),
			at(begin+5*ms).answer(fbResponse))
		whole = append(whole, served(begin, begin+5*ms))
	}
	whole[11].final = false
	playAll(t, []scenario{
		{name: "behind each answer", steps: steps, want: want, protocol: auto, turn: answered},
		{name: "one that is answered", steps: last, want: wanted, protocol: auto, turn: inFlight},
		{name: "the server stands still: the second is seen", steps: stands, want: standing, protocol: auto,
			turn: inFlight},
		{name: "messages in two parts", steps: parts, want: whole, protocol: auto, turn: answered},
	})
}

// Messages of ZEO: a request, its answer, and invalidateTransaction, which the server sends of itself.
var (
	zeoLoad  = append([]byte{0, 0, 0, 40}, make([]byte, 40)...)
	zeoReply = append([]byte{0, 0, 0, 31}, make([]byte, 31)...)
	zeoPush  = append([]byte{0, 0, 0, 57}, make([]byte, 57)...)
)

// TestUnaskedMessages: what a server sends of itself, in an unknown protocol, belongs to no answer. It is known by its
// length after it came twice in a row eight times. Until then it counts as the rest of the answer before it.
func TestUnaskedMessages(t *testing.T) {
	const period = 100 * ms
	// rounds plays so many requests that are answered after 5 ms, with what follows at the given moments.
	rounds := func(n int, then []byte, moments ...time.Duration) (steps []step) {
		for k := range n {
			begin := time.Duration(k) * period
			steps = append(steps, at(begin).request(zeoLoad), at(begin+5*ms).answer(zeoReply))
			for _, m := range moments {
				steps = append(steps, at(begin+m).answer(then))
			}
		}
		return steps
	}
	// ends is what is expected of them: the moments at which the answers end.
	ends := func(n int, end func(k int) time.Duration) (want []turn) {
		for k := range n {
			begin := time.Duration(k) * period
			want = append(want, served(begin, begin+end(k)))
		}
		want[n-1].final = false
		return want
	}
	always := func(d time.Duration) func(int) time.Duration { return func(int) time.Duration { return d } }
	playAll(t, []scenario{
		{name: "twice behind each answer", steps: rounds(12, zeoPush, 15*ms, 25*ms),
			want: ends(12, func(k int) time.Duration {
				switch {
				case k < 7:
					return 25 * ms
				case k == 7: // the second of them is the eighth that shows it
					return 15 * ms
				}
				return 5 * ms
			}), protocol: auto, turn: answered},
		{name: "once behind each answer: its second part", steps: rounds(12, zeoPush, 30*ms),
			want: ends(12, always(30*ms)), protocol: auto, turn: answered},
		{name: "of the length of an answer", steps: rounds(12, zeoReply, 15*ms, 25*ms),
			want: ends(12, always(25*ms)), protocol: auto, turn: answered},
		{name: "a long answer in pieces", steps: rounds(12, make([]byte, 1000), 15*ms, 25*ms),
			want: ends(12, always(25*ms)), protocol: auto, turn: answered},
	})
}
