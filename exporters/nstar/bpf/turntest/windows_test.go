// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"testing"
	"time"
)

// TestWindows: every request is in the right window, and its departure where its answer ends.
func TestWindows(t *testing.T) {
	playAll(t, []scenario{
		{
			name:  "request over five windows adds to the queue of each",
			steps: []step{at(40 * ms).request(get), at(210 * ms).answer(ok)},
			want:  []turn{open(40*ms, 210*ms)}, protocol: http, turn: answered,
		},
		{
			name: "answer of many segments: the departure moves with each, within and across windows",
			steps: []step{
				at(10 * ms).request(get), at(20 * ms).answer(ok), at(30 * ms).answer(body(3000)),
				at(49 * ms).answer(body(3000)),
				at(51 * ms).answer(body(3000)), at(70 * ms).answer(body(3000)), at(230 * ms).answer(body(3000)),
				at(240 * ms).answer(body(1)),
				at(260 * ms).request(get), at(261 * ms).answer(ok),
			},
			want: []turn{served(10*ms, 240*ms), open(260*ms, 261*ms)}, protocol: http, turn: answered,
		},
		{
			name: "a window takes in its start and leaves out its end",
			steps: []step{
				at(50 * ms).request(get), at(100 * ms).answer(ok), at(150*ms - 1).request(get), at(150 * ms).answer(ok),
				at(200*ms - 1).answer(ok),
				at(200 * ms).answer(ok),
			},
			want: []turn{served(50*ms, 100*ms), open(150*ms-1, 200*ms)}, protocol: http, turn: answered,
		},
		{
			name: "answer in the same instant as the request",
			steps: []step{at(50 * ms).request(get), at(50 * ms).answer(ok), at(50 * ms).request(get),
				at(50 * ms).answer(ok)},
			want: []turn{served(50*ms, 50*ms), open(50*ms, 50*ms)}, protocol: http, turn: answered,
		},
		{
			name:        "windows follow the wall clock by the offset",
			clockOffset: 123_456_789 * time.Nanosecond,
			steps: []step{
				at(10 * ms).request(get), at(30 * ms).answer(ok), at(60 * ms).answer(body(100)),
				at(100 * ms).request(get),
				at(170 * ms).answer(ok),
			},
			want: []turn{served(10*ms, 60*ms), open(100*ms, 170*ms)}, protocol: http, turn: answered,
		},
		{
			name:        "windows follow the wall clock by a negative offset",
			clockOffset: -(3*time.Second + 7*ms),
			steps: []step{at(0).request(get), at(30 * ms).answer(ok), at(60 * ms).answer(body(100)),
				at(100 * ms).close()},
			want: []turn{served(0, 60*ms)}, protocol: http, turn: idle,
		},
		{
			name: "pause in an answer as long as the settle delay: the departure still moves",
			steps: []step{at(10 * ms).request(get), at(20 * ms).answer(ok), at(520 * ms).answer(body(100)),
				at(600 * ms).close()},
			want: []turn{served(10*ms, 520*ms)}, protocol: http, turn: idle,
		},
		{
			name: "pause in an answer longer than the settle delay: reopened, and counted once",
			steps: []step{at(10 * ms).request(get), at(20 * ms).answer(ok), at(521 * ms).answer(body(100)),
				at(600 * ms).close()},
			want: []turn{served(10*ms, 20*ms).resumed(521 * ms)}, protocol: http, turn: idle,
		},
		{
			name: "reopened answer goes on within and across windows",
			steps: []step{
				at(10 * ms).request(get), at(20 * ms).answer(ok), at(620 * ms).answer(body(100)),
				at(640 * ms).answer(body(100)),
				at(710 * ms).answer(body(100)), at(720 * ms).answer(body(100)), at(1000 * ms).answer(body(100)),
				at(1100 * ms).request(get),
			},
			want: []turn{
				served(10*ms, 20*ms).resumed(620*ms, 640*ms, 710*ms, 720*ms, 1000*ms),
				waiting(1100 * ms),
			},
			protocol: http, turn: inFlight,
		},
		{
			name: "reopened twice",
			steps: []step{
				at(10 * ms).request(get), at(20 * ms).answer(ok), at(620 * ms).answer(body(100)),
				at(690 * ms).answer(body(100)),
				at(1300 * ms).answer(body(100)), at(2000 * ms).answer(body(100)), at(2040 * ms).answer(body(100)),
			},
			want:     []turn{open(10*ms, 20*ms).resumed(620*ms, 690*ms).resumed(1300*ms).resumed(2000*ms, 2040*ms)},
			protocol: http, turn: reopened,
		},
		{
			name: "long answer without pauses needs no reopening",
			steps: func() []step {
				steps := []step{at(10 * ms).request(get)}
				for now := 20 * ms; now <= 3*time.Second; now += 20 * ms {
					steps = append(steps, at(now).answer(body(1000)))
				}
				return append(steps, at(3100*ms).close())
			}(),
			want: []turn{served(10*ms, 3*time.Second)}, protocol: http, turn: idle,
		},
	})
}

// TestGenericTurns: a protocol that takes turns needs no parser.
func TestGenericTurns(t *testing.T) {
	playAll(t, []scenario{
		{
			name: "Redis",
			steps: []step{
				at(1 * ms).request(text("*1\r\n$4\r\nPING\r\n")), at(2 * ms).answer(text("+PONG\r\n")),
				at(60 * ms).request(text("*2\r\n$3\r\nGET\r\n$1\r\na\r\n")), at(61 * ms).answer(text("$-1\r\n")),
				at(70 * ms).close(),
			},
			want: []turn{served(1*ms, 2*ms), served(60*ms, 61*ms)}, protocol: redis, turn: idle,
		},
		{
			name: "server speaks first (SMTP): the banner answers nothing",
			steps: []step{
				at(1 * ms).answer(text("220 mx.example ESMTP\r\n")), at(5 * ms).request(text("EHLO host.example\r\n")),
				at(8 * ms).answer(text("250 mx.example\r\n")),
				at(60 * ms).request(text("MAIL FROM:<a@example>\r\n")), at(61 * ms).answer(text("250 ok\r\n")),
				at(62 * ms).request(text("QUIT\r\n")),
				at(63 * ms).answer(text("221 bye\r\n")), at(64 * ms).close(),
			},
			want: []turn{served(5*ms, 8*ms), served(60*ms, 61*ms), served(62*ms, 63*ms)}, protocol: auto, turn: idle,
		},
		{
			name: "protocol configured as turns: no line is looked at",
			hint: turns,
			steps: []step{
				at(1 * ms).request(text("GET / HTTP/1.1\r\n\r\n")), at(2 * ms).answer(goOn),
				at(60 * ms).request(text("lower case")), at(61 * ms).answer(ok), at(70 * ms).close(),
			},
			want: []turn{served(1*ms, 2*ms), served(60*ms, 61*ms)}, protocol: turns, turn: idle,
		},
		{
			name: "single bytes",
			steps: []step{at(1 * ms).request([]byte{0}), at(2 * ms).answer([]byte{0}), at(3 * ms).request([]byte{1}),
				at(60 * ms).answer([]byte{1})},
			want: []turn{served(1*ms, 2*ms), open(3*ms, 60*ms)}, protocol: auto, turn: answered,
		},
	})
}

// TestClockStep: the wall clock is set back in the middle of an answer. The windows then can't be right, but no request
// may get lost, and an answer is reopened only if it paused for longer than the settle delay, which the clock step
// hides.
func TestClockStep(t *testing.T) {
	for name, tt := range map[string]struct {
		goesOn time.Duration
		want   sums
	}{
		"answer goes on at once": {2030 * ms, sums{TurntestSlot{Arrivals: 1, Completions: 1}, 0}},
		"after a pause":          {3030 * ms, sums{TurntestSlot{Arrivals: 1, Completions: 1}, 1}},
	} {
		t.Run(name, func(t *testing.T) {
			m := loadMachine(t)
			m.play(t, scenario{steps: []step{at(2010 * ms).request(get), at(2020 * ms).answer(ok)}})
			check(t, m.objects.ClockOffset.Set(int64(-time.Second)))
			m.run(t, m.objects.TestAnswer, packet(ipv4, uint32(len(ok)), body(100)), tt.goesOn)
			var sum sums
			for _, s := range m.windows(t, 0, 60, 0) {
				sum.Arrivals += s.Arrivals
				sum.Completions += s.Completions
				sum.Net += s.Net
				sum.Reopened += s.Reopened
			}
			if sum != tt.want {
				t.Errorf("after the step back: %+v, want %+v", sum, tt.want)
			}
		})
	}
}
