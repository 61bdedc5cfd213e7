// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"testing"
	"time"
)

// TestEndlessAnswers: no request waits for events that a server sends for as long as a client listens.
func TestEndlessAnswers(t *testing.T) {
	// events are told every so often, from begin to end.
	events := func(begin, every, end time.Duration) (steps []step) {
		for now := begin; now <= end; now += every {
			steps = append(steps, at(now).answer(body(100)))
		}
		return steps
	}
	listening := func(more []step, last ...step) []step {
		return append(append([]step{at(0).request(get), at(10 * ms).answer(ok)}, more...), last...)
	}
	file := []step{at(0).request(get), at(10 * ms).answer(ok).leavingRest()} // of which the client has no room for more
	slow := served(0, 6070*ms)
	for now := 10 * ms; now < 6000*ms; now += 400 * ms {
		file = append(file, at(now+400*ms).answer(body(100)).leavingRest())
		slow = slow.kept(now, now+400*ms)
	}
	file[len(file)-1] = at(6010 * ms).answer(body(100))
	playAll(t, []scenario{
		{
			name:  "an event five times a second: complete after a while",
			steps: listening(events(100*ms, 200*ms, 6100*ms), at(6200*ms).close()),
			want:  []turn{served(0, 4900*ms)}, protocol: http, turn: idle,
		},
		{
			name:  "the client asks for something else afterwards",
			steps: listening(events(100*ms, 200*ms, 5900*ms), at(6000*ms).request(get), at(6050*ms).answer(ok)),
			want:  []turn{served(0, 4900*ms), open(6000*ms, 6050*ms)}, protocol: http, turn: answered,
		},
		{
			name:  "an event every second: each pause is no time in the queue, and reopened it is once",
			steps: listening(events(1000*ms, 1000*ms, 6000*ms), at(6200*ms).close()),
			want: []turn{served(0, 10*ms).resumed(1000 * ms).resumed(2000 * ms).resumed(3000 * ms).resumed(4000 * ms).
				resumed(5000 * ms)}, protocol: http, turn: idle,
		},
		{
			name:  "a client that takes long for a large file has an end",
			steps: append(file, at(6070*ms).answer(body(100)), at(6200*ms).close()),
			want:  []turn{slow}, protocol: http, turn: idle,
		},
	})
}
