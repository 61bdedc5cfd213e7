// SPDX-License-Identifier: Apache-2.0

package kinds

import (
	"strings"
	"testing"
)

// walk goes through the automaton as kinds.h does.
func (b Automaton) walk(tier int, seed uint64, root uint32, words ...string) uint32 {
	h := &builder{seed: seed}
	node := root
	for _, w := range words {
		next, ok := b.Steps[Step{node, h.hash(w)}]
		if !ok {
			next = b.Steps[Step{node, wordAny}]
		}
		if node = next; node == 0 {
			return 0
		}
	}
	return b.Ends[End{uint32(tier), node}]
}

func patterns(t *testing.T, tier int, requests ...string) (out []Kind) {
	t.Helper()
	for i, r := range requests {
		p, err := Parse(r)
		if err != nil {
			t.Fatalf("%s: %v", r, err)
		}
		out = append(out, Kind{tier, i + 1, p})
	}
	return out
}

func TestBuild(t *testing.T) {
	const seed = 12345
	all := append(
		patterns(t, 3, "GET /users/{id}/orders", "GET /users/me", "/static/**", "GET /users/{id}",
			"post /orders/", "GET /",
			"/users/**"),
		patterns(t, 4, "SELECT", "insert", "EXECUTE", "GET /users/{id}")...)
	a, err := Build(all, seed)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		tier  int
		words string
		want  uint32
	}{
		{3, "GET users 7 orders", 1}, {3, "GET users me orders", 1}, {3, "GET users me", 2}, {3, "GET users 9", 4},
		{3, "POST orders", 5},
		{3, "GET static a b c", 3}, {3, "PUT static", 3}, {3, "GET", 6}, {3, "GET users 9 orders 7", 7},
		{3, "PUT users 9", 7}, {3, "PUT orders", 0},
		{3, "GET orders", 0}, {3, "GET other", 0}, {4, "GET users 9", 4}, {4, "GET users 9 orders", 0},
		{4, "GET static x", 0}, {5, "GET users 9", 0},
	} {
		if got := a.walk(row.tier, seed, rootHTTP, strings.Fields(row.words)...); got != row.want {
			t.Errorf("%s of tier %d is kind %d, want %d", row.words, row.tier, got, row.want)
		}
	}
	for verb, want := range map[string]uint32{"SELECT": 1, "INSERT": 2, "DELETE": 0} {
		if got := a.walk(4, seed, rootSQL, verb); got != want {
			t.Errorf("%s is kind %d, want %d", verb, got, want)
		}
	}
	commands := append(patterns(t, 3, "Redis get", "GET", "Memcached GET"), patterns(t, 4, "redis SET")...)
	if a, err = Build(append(all, commands...), seed); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		tier       int
		root, want uint32
		name       string
	}{
		{3, rootRedis, 1, "GET"}, {3, rootSQL, 2, "GET"}, {3, rootMemcached, 3, "GET"}, {4, rootRedis, 1, "SET"},
		{4, rootRedis, 0, "GET"}, {3, rootRedis, 0, "SET"},
	} {
		if got := a.walk(row.tier, seed, row.root, row.name); got != row.want {
			t.Errorf("%s of tier %d from root %d is kind %d, want %d", row.name, row.tier, row.root, got, row.want)
		}
	}
	if node := a.Steps[Step{rootSQL, wordExecute}]; a.Ends[End{4, node}] != 3 {
		t.Error("a prepared statement is no EXECUTE")
	}
}

// A kind given by a number ends where the kernel side looks for it, in tiers that ask for it.
func TestBuildCodes(t *testing.T) {
	all := patterns(t, 3, "Kafka Produce", "kafka metadata", "Kafka 100", "Kafka 0", "CQL QUERY", "SELECT")
	a, err := Build(append(all, patterns(t, 4, "Kafka OffsetCommit", "cql Batch")...), 1)
	if err != nil {
		t.Fatal(err)
	}
	const kafkaNode, cqlNode = 1<<31 | 11<<8, 1<<31 | 12<<8
	for end, want := range map[End]uint32{
		{3, kafkaNode}: 1, {3, kafkaNode | 3}: 2, {3, kafkaNode | 100}: 3, {3, cqlNode | 7}: 5, {4, kafkaNode | 8}: 1,
		{4, cqlNode | 13}: 2, {4, kafkaNode}: 0, {3, cqlNode | 13}: 0,
	} {
		if got := a.Ends[end]; got != want {
			t.Errorf("%x of tier %d is kind %d, want %d", end.Node, end.Tier, got, want)
		}
	}
	if len(a.Ends) != 7 {
		t.Errorf("%d ends: %v", len(a.Ends), a.Ends)
	}
	if a.walk(3, 1, rootSQL, "SELECT") != 6 {
		t.Error("statements beside them are not told apart")
	}
}

func TestParseRefuses(t *testing.T) {
	for _, r := range []string{
		"", "GET", "GET users", "/a?b=c", "/a/**/b", "/a/b*", "/a/{b", "GET /a /b", "select *", "DROP;",
		"/" + strings.Repeat("a/", 40), "G3T /a", "Kafka",
		"Kafka Fetch", "Kafka 1", "Kafka JoinGroup", "Kafka 128", "Kafka -1",
		"Redis BLPOP", "Redis subscribe", "Redis EVAL_RO", "Redis", "Memcached", "Memcached get key", "Kafka Nothing",
		"CQL OPTIONS", "CQL 7", "CQL",
	} {
		if _, err := Parse(r); err == nil && !isName(r, "") { // a word alone may be one of SQL
			t.Errorf("%q was accepted", r)
		}
	}
}

// Kinds that overlap in every way can't fill the memory.
func TestBuildIsBounded(t *testing.T) {
	var all []Kind
	for tier := range 12 {
		for i := range Max - 1 {
			words := make([]string, 12)
			for w := range words {
				words[w] = "{x}"
				if (w*7+i*3+tier)%3 == 0 {
					words[w] = string(rune('a' + (i+tier)%5))
				}
			}
			all = append(all, patterns(t, tier, "/"+strings.Join(words, "/"))...)
		}
	}
	if a, err := Build(all, 1); err == nil && len(a.Steps) > MaxSteps {
		t.Errorf("%d steps", len(a.Steps))
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"GET /users/{id}", "/a/**", "SELECT", "/{}/*", "//",
		"Kafka Produce", "Kafka 99", "CQL BATCH", "Redis GET", "Memcached set"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, request string) {
		p, err := Parse(request)
		if err != nil {
			return
		}
		if _, err := Build([]Kind{{0, 1, p}}, 7); err != nil {
			t.Errorf("%q: %v", request, err)
		}
	})
}
