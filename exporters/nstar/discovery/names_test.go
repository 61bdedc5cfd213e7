// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nstar-project/nstar/exporters/nstar/config"
)

// play names the tiers that are found, step by step.
type play struct {
	t   *testing.T
	n   *names
	now time.Time
	cfg *config.Config
}

func newPlay(t *testing.T) *play {
	p := &play{t: t, n: newNames(), now: time.Unix(1800000000, 0)}
	p.n.now = func() time.Time { return p.now }
	return p
}

// scan expects the names of the tiers, by their oldest process.
func (p *play) scan(want map[int32]string, procs ...*process) {
	p.t.Helper()
	p.now = p.now.Add(5 * time.Second)
	got := make(map[int32]string)
	for _, tier := range tiers(groups(procs, listening), p.cfg, p.n) {
		got[tier.PIDs[0]] = tier.Name
	}
	if diff := cmp.Diff(want, got); diff != "" {
		p.t.Errorf("at %s (-want +got):\n%s", p.now.Format("15:04:05"), diff)
	}
}

// started is a process that began at a time.
func started(start uint64, p *process) *process {
	p.start = start
	return p
}

// The tier that was there first keeps its name, whatever starts and ends beside it.
func TestTwinsLeaveTheFirstAlone(t *testing.T) {
	p := newPlay(t)
	first, second := proc(10, "java", 8009), proc(20, "java", 8080)
	p.scan(map[int32]string{10: "java"}, first)
	p.scan(map[int32]string{10: "java", 20: "java:8080"}, first, second)
	older := started(1, proc(5, "java", 9100)) // it began to listen later than it began
	p.scan(map[int32]string{5: "java:9100", 10: "java", 20: "java:8080"}, older, first, second)
	p.scan(map[int32]string{10: "java", 20: "java:8080"}, first, second)
	p.scan(map[int32]string{20: "java:8080"}, second)
	p.scan(map[int32]string{20: "java:8080", 30: "java"}, second, proc(30, "java", 8009)) // restarted
	p.scan(map[int32]string{20: "java:8080"}, second)
	p.now = p.now.Add(keepName)
	p.scan(map[int32]string{20: "java:8080"}, second)
	p.scan(map[int32]string{20: "java:8080", 40: "java"}, second, proc(40, "java", 9100)) // the name is free
}

// A restarted server gets its name back although a twin came meanwhile; so does a container, which has another
// namespace then.
func TestRestartKeepsTheName(t *testing.T) {
	p := newPlay(t)
	p.scan(map[int32]string{10: "nginx"}, proc(10, "nginx", 80))
	p.scan(map[int32]string{20: "nginx:443"}, proc(20, "nginx", 443))
	p.scan(map[int32]string{20: "nginx:443", 30: "nginx"}, proc(20, "nginx", 443), proc(30, "nginx", 180))
}

// A restarted server may listen elsewhere at first, as for commands, and only later where it serves: it gets its name
// back then.
func TestRestartListensElsewhereFirst(t *testing.T) {
	p := newPlay(t)
	web, other := proc(10, "java", 8080), proc(11, "java", 8009)
	p.scan(map[int32]string{10: "java", 11: "java:8009"}, web, other)
	p.scan(map[int32]string{11: "java:8009"}, other)
	p.scan(map[int32]string{11: "java:8009", 30: "java:9100"}, other, proc(30, "java", 9100))
	p.scan(map[int32]string{11: "java:8009", 30: "java"}, other, proc(30, "java", 8080, 9100))
	p.scan(map[int32]string{11: "java:8009", 30: "java"}, other, proc(30, "java", 8080))
	p.scan(map[int32]string{11: "java:8009", 30: "java", 40: "java:9100"}, other, proc(30, "java", 8080),
		proc(40, "java", 9100))
}

// A server that was there before another one ended is not its restart, though it listens there now.
func TestTakesOverAPort(t *testing.T) {
	p := newPlay(t)
	first, second := proc(10, "java", 8080), proc(20, "java", 8009)
	p.scan(map[int32]string{10: "java", 20: "java:8009"}, first, second)
	p.scan(map[int32]string{20: "java:8009"}, proc(20, "java", 8009, 8080))
}

// A process that changes its name is still the same tier: it fills no table by that.
func TestRenamedProcess(t *testing.T) {
	p := newPlay(t)
	for i := range 100 {
		p.scan(map[int32]string{10: "name0"}, proc(10, fmt.Sprint("name", i), 80))
	}
	if len(p.n.kept) != 1 {
		t.Errorf("%d names are kept", len(p.n.kept))
	}
	other := proc(10, "other", 80)
	other.stack = 7 // another program, by exec
	p.scan(map[int32]string{10: "other"}, other)
	moved := in(home{unit: "web.service", name: "web"}, proc(10, "other", 80))
	moved.stack = 7
	p.scan(map[int32]string{10: "web"}, moved)
}

// A rule's name is its own, also when it comes later.
func TestRuleTakesAName(t *testing.T) {
	p := newPlay(t)
	java, db := proc(10, "java", 8009), proc(20, "mysqld", 3306)
	p.scan(map[int32]string{10: "java", 20: "mysqld"}, java, db)
	cfg, err := config.Parse("f", []byte("tiers: [{name: java, match: {port: 3306}}]"))
	if err != nil {
		t.Fatal(err)
	}
	p.cfg = cfg
	p.scan(map[int32]string{10: "java:8009", 20: "java"}, java, db)
}

// Names of tiers that come and go are forgotten.
func TestNamesAreBounded(t *testing.T) {
	p := newPlay(t)
	n := p.n
	for i := range 3 * mostNames {
		n.assign([]draft{{app: "a", name: fmt.Sprint(i), leader: proc(int32(i), "x", 80),
			serves: []serving{{listener: at("0.0.0.0:80")}}}})
	}
	if len(n.kept) > mostNames {
		t.Errorf("%d names are kept", len(n.kept))
	}
	p.now = p.now.Add(keepName + time.Second)
	n.assign(nil)
	if len(n.kept) != 0 {
		t.Errorf("%d names are kept for ever", len(n.kept))
	}
}

func TestUnusedName(t *testing.T) {
	used := make(map[key]bool)
	d := draft{app: "a", name: "nginx", serves: []serving{{listener: at("2/0.0.0.0:80")}}}
	for _, want := range []string{"nginx", "nginx:80", "nginx:80@2", "nginx:80@2/0.0.0.0", "nginx:80@2/0.0.0.0#2",
		"nginx:80@2/0.0.0.0#3"} {
		got := unusedName(d, used)
		if got.name != want {
			t.Errorf("%s, want %s", got.name, want)
		}
		used[got] = true
	}
}

// The sockets of Python's multiprocessing have random names, which are others after each start.
func TestPlaceOfASocket(t *testing.T) {
	for listener, want := range map[Listener]string{
		{Path: "/tmp/pymp-3c1a9x2b/listener-a59u99ju"}: "multiprocessing",
		{Path: "/run/php/php8.2-fpm.sock"}:             "php8.2-fpm.sock",
		{Port: 8080}:                                   "8080",
	} {
		if got := listener.where(); got != want {
			t.Errorf("%v: %s, want %s", listener, got, want)
		}
	}
}
