// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"strings"
	"testing"
)

// store is a storage command with n bytes of data.
func store(verb, key string, n int, options string) []byte {
	return text("%s %s 0 0 %d%s\r\n%s\r\n", verb, key, n, options, body(n))
}

func mcValue(key string, n int) []byte {
	return text("VALUE %s 0 %d\r\n%s\r\nEND\r\n", key, n, body(n))
}

func TestMemcached(t *testing.T) {
	get, stored, end := text("get key\r\n"), text("STORED\r\n"), text("END\r\n")
	long := strings.Repeat("k", 200)
	playAll(t, []scenario{
		{
			name: "one command at a time",
			steps: []step{
				at(1 * ms).request(store("set", "key", 900, "")), at(9 * ms).answer(stored), at(10 * ms).request(get),
				at(60 * ms).answer(mcValue("key", 900)),
			},
			want: []turn{served(1*ms, 9*ms), open(10*ms, 60*ms)}, protocol: memcached, turn: answered,
		},
		{
			name: "noreply asks for nothing, alone or in front of others",
			steps: []step{
				at(1 * ms).request(store("set", "key", 90, " noreply")),
				at(9*ms).request(store("set", long, 90, " noreply"), text("delete key noreply\r\n"), get),
				at(60 * ms).answer(mcValue("key", 90)), at(61 * ms).request(text("incr key 5 noreply\r\n")),
			},
			want: []turn{open(9*ms, 60*ms)}, protocol: memcached, turn: answered,
		},
		{
			name: "sent ahead, in segments cut anywhere: data that looks like commands, values that look like answers",
			steps: []step{
				at(1 * ms).request(text("get a\r\nget %s\r\nset k 0 0 9\r\nget b\r\nge\r\nget ", long)),
				at(2 * ms).request(text("c d\r\nversion\r\n")),
				at(20 * ms).answer(text("VALUE a 0 5\r\nEND\r\n\r\nEN")),
				at(30*ms).answer(text("D\r\n"), mcValue(long, 40), text("STO")),
				at(60*ms).answer(text("RED\r\n"), text("VALUE c 0 1\r\nx\r\n"), mcValue("d", 300)[:100]),
				at(70*ms).answer(mcValue("d", 300)[100:], text("VERSION 1.6\r\n")),
			},
			want: []turn{served(1*ms, 30*ms), served(1*ms, 30*ms), served(1*ms, 60*ms), served(2*ms, 70*ms),
				served(2*ms, 70*ms)},
			protocol: memcached, turn: idle,
		},
		{
			name: "meta commands",
			steps: []step{
				at(1 * ms).request(text("mg key v t\r\nms key 4 T0\r\nq\r\nq\r\nmd key\r\nmn\r\n")),
				at(20 * ms).answer(text("VA 3 t0\r\nMN\n\r\nHD\r\n")),
				at(60 * ms).answer(text("NF\r\nMN\r\n")),
			},
			want:     []turn{served(1*ms, 20*ms), served(1*ms, 20*ms), served(1*ms, 60*ms), served(1*ms, 60*ms)},
			protocol: memcached, turn: idle,
		},
		{
			name: "quiet meta commands are answered now and then: turns from there on",
			steps: []step{
				at(1 * ms).request(text("mg a v q\r\nmg b v q\r\nmn\r\n")),
				at(60 * ms).answer(text("VA 1\r\nx\r\nMN\r\n")),
				at(70 * ms).request(text("mg a v\r\n")), at(80 * ms).answer(text("EN\r\n")),
			},
			want: []turn{served(1*ms, 60*ms), open(70*ms, 80*ms)}, protocol: turns, turn: answered,
		},
		{
			name: "statistics are one answer", hint: memcached,
			steps: []step{
				at(1*ms).request(text("stats\r\n"), get), at(20 * ms).answer(text("STAT pid 7\r\nSTAT uptime 9\r\nEN")),
				at(60*ms).answer(text("D\r\n"), end),
			},
			want: []turn{served(1*ms, 60*ms), served(1*ms, 60*ms)}, protocol: memcached, turn: idle,
		},
		{
			name: "joined in the middle of data",
			steps: []step{at(1 * ms).answer(body(600)), at(9*ms).request(get, get), at(20 * ms).answer(end),
				at(60 * ms).answer(end)},
			want: []turn{served(9*ms, 20*ms), served(9*ms, 60*ms)}, protocol: memcached, turn: idle,
		},
		{
			name:  "what is no Memcached takes turns",
			steps: []step{at(1 * ms).request(text("set key value\r\n")), at(60 * ms).answer(text("+OK\r\n"))},
			want:  []turn{open(1*ms, 60*ms)}, protocol: turns, turn: answered,
		},
		{
			name: "binary, two commands before the first answer",
			steps: []step{
				at(1*ms).request(binaryGet, binaryGet), at(9 * ms).request(binarySet),
				at(20 * ms).answer(binaryMiss), at(40*ms).answer(binaryMiss, binaryMiss),
			},
			want: []turn{served(1*ms, 20*ms), served(1*ms, 40*ms), served(9*ms, 40*ms)}, protocol: memcached,
			turn: idle,
		},
		{
			name: "binary, a header over two segments", hint: memcached,
			steps: []step{
				at(1*ms).request(binaryGet, binaryGet[:7]), at(2 * ms).request(binaryGet[7:]),
				at(20*ms).answer(binaryMiss, binaryMiss[:11]), at(40 * ms).answer(binaryMiss[11:]),
			},
			want: []turn{served(1*ms, 20*ms), served(2*ms, 40*ms)}, protocol: memcached, turn: idle,
		},
		{
			name: "binary statistics are one answer", hint: memcached,
			steps: []step{
				at(1*ms).request(binaryGet, []byte("\x80\x10"+strings.Repeat("\x00", 22))),
				at(20*ms).answer(binaryMiss, []byte("\x81\x10\x00\x03"+strings.Repeat("\x00", 7)+"\x04"+
					strings.Repeat("\x00",
						12)+"pid7")),
				at(40 * ms).answer([]byte("\x81\x10" + strings.Repeat("\x00", 22))),
			},
			want: []turn{served(1*ms, 20*ms), served(1*ms, 40*ms)}, protocol: memcached, turn: idle,
		},
		{
			name: "quiet binary commands take turns", hint: memcached,
			steps: []step{
				at(1*ms).request([]byte("\x80\x09\x00\x01"+strings.Repeat("\x00", 7)+"\x01"+
					strings.Repeat("\x00", 12)+"a"),
					[]byte("\x80\x0a"+strings.Repeat("\x00", 22))),
				at(60 * ms).answer([]byte("\x81\x0a" + strings.Repeat("\x00", 22))),
			},
			want: []turn{open(1*ms, 60*ms)}, protocol: turns, turn: answered,
		},
	})
}

// Messages of the binary protocol: a command for a key, one with a value, and an answer.
var (
	binaryGet = []byte("\x80\x00\x00\x05" + strings.Repeat("\x00", 7) + "\x05" + strings.Repeat("\x00", 12) + "front")
	binarySet = []byte("\x80\x01\x00\x05\x08" + strings.Repeat("\x00", 6) + "\x0f" + strings.Repeat("\x00",
		12) + "flagtimefront\x80\x81")
	binaryMiss = []byte("\x81\x00\x00\x00\x00\x00\x00\x01" + strings.Repeat("\x00", 3) + "\x09" + strings.Repeat("\x00",
		12) + "Not found")
)
