// SPDX-License-Identifier: Apache-2.0

package turntest

import "testing"

func TestKindsOfCommands(t *testing.T) {
	get, okay := command3("GET", "k", "v"), text("+OK\r\n")
	tellsAll(t, []kindsRow{
		{
			name: "Redis", kinds: []string{"Redis GET", "redis eval", "GET"},
			steps: []step{
				at(10 * ms).request(get), at(30 * ms).answer(okay), at(40 * ms).request(command3("get", "k", "v")),
				at(45 * ms).answer(okay), at(50 * ms).request(command3("SET", "GET", "v")), at(51 * ms).answer(okay),
				at(60 * ms).request(command3("EVAL_RO", "k", "v")), at(70 * ms).answer(okay),
				at(80 * ms).request(command3("GETEX", "k", "v")), at(82 * ms).answer(okay),
			},
			want: map[int]ofKind{
				0: {Arrivals: 2, Completions: 2, Queue: 3 * ms, Residence: 3 * ms},
				1: {Arrivals: 2, Completions: 2, Queue: 25 * ms, Residence: 25 * ms},
				2: {Arrivals: 1, Completions: 1, Queue: 10 * ms, Residence: 10 * ms},
			},
		},
		{
			name: "Redis: sent ahead they are others, alone again they are not", kinds: []string{"Redis GET"},
			steps: []step{
				at(10*ms).request(get, get), at(30*ms).answer(okay, okay), at(40 * ms).request(get),
				at(50 * ms).answer(okay),
				at(60 * ms).request(get), at(70 * ms).request(get), at(80*ms).answer(okay, okay),
			},
			want: map[int]ofKind{
				0: {Arrivals: 4, Completions: 4, Queue: 70 * ms, Residence: 70 * ms},
				1: {Arrivals: 1, Completions: 1, Queue: 10 * ms, Residence: 10 * ms},
			},
		},
		{
			name: "Redis: what waits on purpose is of none", kinds: []string{"Redis GET"},
			steps: []step{
				at(10 * ms).request(command3("BLPOP", "k", "0")), at(20 * ms).request(get),
				at(30*ms).answer(okay, okay),
				at(40 * ms).request(get), at(50 * ms).close(),
			},
			want: map[int]ofKind{1: {Arrivals: 2, Completions: 1, Aborts: 1, Queue: 20 * ms, Residence: 10 * ms}},
		},
		{
			name: "Memcached", kinds: []string{"Memcached get", "Memcached SET"},
			steps: []step{
				at(10 * ms).request(text("get k\r\n")), at(30 * ms).answer(mcValue("k", 20)),
				at(40 * ms).request(store("set", "k", 20, "")), at(45 * ms).answer(text("STORED\r\n")),
				at(50 * ms).request(text("delete k\r\n")), at(52 * ms).answer(text("DELETED\r\n")),
				at(60 * ms).request(text("gets k\r\n")), at(61 * ms).answer(mcValue("k", 20)),
			},
			want: map[int]ofKind{
				0: {Arrivals: 2, Completions: 2, Queue: 3 * ms, Residence: 3 * ms},
				1: {Arrivals: 1, Completions: 1, Queue: 20 * ms, Residence: 20 * ms},
				2: {Arrivals: 1, Completions: 1, Queue: 5 * ms, Residence: 5 * ms},
			},
		},
	})
}
