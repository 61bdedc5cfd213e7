// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// command3 is a command with its arguments in RESP.
func command3(words ...string) []byte {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(words))
	for _, w := range words {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(w), w)
	}
	return []byte(b.String())
}

var (
	ping2  = command3("PING")
	pong2  = text("+PONG\r\n")
	get3   = command3("GET", "key")
	value3 = text("$5\r\nvalue\r\n")
	null3  = text("$-1\r\n")
	list3  = text("*3\r\n:1\r\n*2\r\n$1\r\na\r\n*0\r\n+b\r\n")
	map3   = text("%%1\r\n+k\r\n*1\r\n_\r\n")
	push3  = text(">2\r\n+invalidate\r\n*1\r\n+k\r\n")
	err3   = text("-ERR %s\r\n", body(300))
)

func TestRedis(t *testing.T) {
	large := command3("SET", "key", string(body(5000)))
	largeValue := text("$5000\r\n%s\r\n", body(5000))
	playAll(t, []scenario{
		{
			name: "one command at a time",
			steps: []step{at(1 * ms).request(get3), at(60 * ms).answer(value3), at(70 * ms).request(ping2),
				at(72 * ms).answer(pong2), at(80 * ms).close()},
			want: []turn{served(1*ms, 60*ms), served(70*ms, 72*ms)}, protocol: redis, turn: idle,
		},
		{
			name: "sent ahead: each is a request, whatever its answer",
			steps: []step{
				at(1*ms).request(get3, ping2, get3, ping2, get3), at(5 * ms).request(get3),
				at(10*ms).answer(value3, pong2),
				at(20*ms).answer(null3, list3),
				at(60*ms).answer(map3, err3),
			},
			want: []turn{
				served(1*ms, 10*ms), served(1*ms, 10*ms), served(1*ms, 20*ms), served(1*ms, 20*ms), served(1*ms, 60*ms),
				served(5*ms, 60*ms),
			}, protocol: redis, turn: idle,
		},
		{
			name: "sent ahead while another waits",
			steps: []step{
				at(1 * ms).request(get3), at(5 * ms).request(get3), at(10 * ms).answer(value3),
				at(60 * ms).answer(value3),
				at(70 * ms).request(get3), at(72 * ms).answer(value3),
			},
			want: []turn{served(1*ms, 10*ms), served(5*ms, 60*ms), served(70*ms, 72*ms)}, protocol: redis, turn: idle,
		},
		{
			name: "long values in both directions end with their last byte",
			steps: []step{
				at(1 * ms).request(large[:3000]), at(5*ms).request(large[3000:], get3),
				at(10*ms).answer(text("+OK\r\n"), largeValue[:3000]),
				at(60 * ms).answer(largeValue[3000:]),
			},
			want: []turn{served(1*ms, 10*ms), served(5*ms, 60*ms)}, protocol: redis, turn: idle,
		},
		{
			name: "hundreds of commands in one segment",
			steps: []step{
				at(1 * ms).request(bytes.Repeat(ping2, 200)), at(10 * ms).answer(bytes.Repeat(pong2, 150)),
				at(60 * ms).answer(bytes.Repeat(pong2, 50)),
			},
			want: append(repeated(served(1*ms, 10*ms), 150), repeated(served(1*ms, 60*ms), 50)...), protocol: redis,
			turn: idle,
		},
		{
			name: "pushed messages answer nothing",
			steps: []step{
				at(1*ms).request(get3, get3), at(10*ms).answer(push3, value3), at(20 * ms).answer(push3),
				at(60 * ms).answer(value3),
			},
			want: []turn{served(1*ms, 10*ms), served(1*ms, 60*ms)}, protocol: redis, turn: idle,
		},
		{
			name: "commands as lines of text",
			hint: redis,
			steps: []step{
				at(1 * ms).request(text("PING\r\nSET key some long value\r\n\r\n")), at(10 * ms).answer(pong2),
				at(60 * ms).answer(text("+OK\r\n")),
			},
			want: []turn{served(1*ms, 10*ms), served(1*ms, 60*ms)}, protocol: redis, turn: idle,
		},
		{
			name: "a subscription is a stream",
			steps: []step{at(1 * ms).request(command3("SUBSCRIBE", "news")), at(2 * ms).answer(list3),
				at(60 * ms).answer(list3)},
			protocol: opaque, turn: idle, multiplexed: 1,
		},
		{
			name: "joined in the middle of replication",
			steps: []step{at(1 * ms).request(command3("REPLCONF", "ACK", "1024")),
				at(500 * ms).request(command3("REPLCONF", "ACK", "1024")),
				at(600 * ms).answer(command3("SET", "a", "b"))},
			protocol: opaque, turn: idle, multiplexed: 1,
		},
		{
			name: "joined in the middle of a value",
			steps: []step{
				at(1 * ms).answer(largeValue[4000:]), at(9 * ms).request(get3), at(60 * ms).answer(value3),
			},
			want: []turn{open(9*ms, 60*ms)}, protocol: redis, turn: answered,
		},
		{
			name:  "the connection ends with commands under way",
			steps: []step{at(1*ms).request(get3, get3), at(10 * ms).answer(value3), at(60 * ms).close()},
			want:  []turn{served(1*ms, 10*ms), aborted(1*ms, 60*ms)}, protocol: redis, turn: idle,
		},
	})
}

// A request that waits on purpose is in no queue, and its answer is not taken for another request's.
func TestRedisWaits(t *testing.T) {
	pop, popped := command3("BLPOP", "jobs", "0"), text("*2\r\n$4\r\njobs\r\n$1\r\nx\r\n")
	read := command3("XREAD", "COUNT", "10", "BLOCK", "0", "STREAMS", "s", "$")
	readNow := command3("xread", "COUNT", "10", "STREAMS", "s", "0")
	readGroup := command3("XREADGROUP", "GROUP", "g", "c", "block", "5000", "STREAMS", "s", ">")
	rows := []scenario{
		{
			name: "a command, then one that waits, then another",
			steps: []step{
				at(1 * ms).request(get3), at(5 * ms).answer(value3), at(10 * ms).request(pop),
				at(1500 * ms).answer(popped),
				at(1501 * ms).request(get3), at(1510 * ms).answer(value3),
			},
			want: []turn{served(1*ms, 5*ms), served(1501*ms, 1510*ms)}, protocol: redis, turn: idle, waits: 1,
		},
		{
			name: "between others in one segment: before and behind it, answers come in order",
			steps: []step{
				at(1*ms).request(get3, get3, pop, ping2), at(5*ms).answer(value3, value3), at(400 * ms).answer(popped),
				at(401 * ms).answer(pong2),
			},
			want: []turn{served(1*ms, 5*ms), served(1*ms, 5*ms), served(1*ms, 401*ms)}, protocol: redis, turn: idle,
			waits: 1,
		},
		{
			name: "sent behind one that is under way",
			steps: []step{at(1 * ms).request(get3), at(2 * ms).request(pop), at(60 * ms).answer(value3),
				at(900 * ms).answer(popped)},
			want: []turn{served(1*ms, 60*ms)}, protocol: redis, turn: idle, waits: 1,
		},
		{
			name:  "its connection ends",
			steps: []step{at(1 * ms).request(pop), at(900 * ms).close()}, protocol: redis, turn: idle, waits: 1,
		},
		{
			name: "its name is cut between segments",
			steps: []step{
				at(1 * ms).request(pop[:10]), at(2 * ms).request(pop[10:]), at(600 * ms).answer(popped),
				at(700 * ms).request(get3), at(701 * ms).answer(value3),
			},
			want: []turn{served(700*ms, 701*ms)}, protocol: redis, turn: idle, waits: 1,
		},
		{
			name: "reading streams: with BLOCK, without, and a word cut between segments",
			steps: []step{
				at(1 * ms).request(read), at(900 * ms).answer(null3), at(901 * ms).request(readNow),
				at(910 * ms).answer(null3),
				at(920 * ms).request(readGroup[:58]), at(921 * ms).request(readGroup[58:]), at(1900 * ms).answer(null3),
			},
			want: []turn{served(901*ms, 910*ms)}, protocol: redis, turn: idle, waits: 2,
		},
	}
	for _, name := range []string{"BRPOP", "brpoplpush", "BLMOVE", "BLMPOP", "BZPOPMIN", "BZPOPMAX", "BZMPOP", "WAIT",
		"WAITAOF"} {
		rows = append(rows, scenario{
			name: name, steps: []step{at(1 * ms).request(command3(name, "1", "0")), at(900 * ms).answer(null3)},
			protocol: redis, turn: idle, waits: 1,
		})
	}
	for _, name := range []string{"BRPOPX", "WATCH", "LPOP", "BITPOS", "SORT"} {
		rows = append(rows, scenario{
			name: name, steps: []step{at(1 * ms).request(command3(name, "1", "0")), at(60 * ms).answer(null3)},
			want:     []turn{open(1*ms, 60*ms)},
			protocol: redis, turn: answered,
		})
	}
	playAll(t, rows)
}

func repeated(t turn, n int) []turn {
	out := make([]turn, n)
	for i := range out {
		out[i] = t
	}
	return out
}
