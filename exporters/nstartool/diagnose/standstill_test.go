// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Shares are those of the time that the tier stood still, over all of its servers.
func TestReadStandstills(t *testing.T) {
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {
			`{"app":"shop","verdict":"single_bottleneck","tier":"db","cause":"stopped"}`: 0.5},
		"nstar_tier_standstill_seconds_total": {`{"app":"shop","tier":"db"}`: 20, `{"app":"gone","tier":"db"}`: 1},
		"nstar_tier_standstill_cause_seconds_total": {
			`{"app":"shop","tier":"db","cause":"cpu"}`:    1,
			`{"app":"shop","tier":"db","cause":"disk"}`:   15,
			`{"app":"shop","tier":"web","cause":"disk"}`:  0,
			`{"app":"gone","tier":"db","cause":"stolen"}`: 1,
		},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if len(o.Apps) != 1 {
		t.Fatalf("applications %+v", o.Apps)
	}
	want := []Standstill{{"db", map[string]float64{"cpu": 0.05, "disk": 0.75}}}
	if diff := cmp.Diff(want, o.Apps[0].Standstills, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestPauses(t *testing.T) {
	for _, tt := range []struct {
		name      string
		shares    map[string]float64
		meanwhile string
		cure      string
	}{
		{"SIGSTOP", map[string]float64{"stopped": 0.98, "cpu": 0.02},
			"while it stood still, its processes were stopped by a signal, a debugger or the freezer in 98 %", "kill " +
				"-STOP"},
		{"a long computation", map[string]float64{"cpu": 1.3, "runqueue": 0.1}, "while it stood still, it computed " +
			"in 100 %",
			"profiler"},
		{"a slow disk, two threads compute", map[string]float64{"disk": 0.9, "cpu": 0.8},
			"while it stood still, it waited for the disk in 90 %", "iostat"},
		{"a lock of threads", map[string]float64{"cpu": 0.03, "lock": 12, "asleep": 14},
			"while it stood still, its requests waited for a lock inside it in 100 %", "jstack"},
		{"two idle threads of a pool", map[string]float64{"cpu": 0.03, "lock": 2, "asleep": 80},
			"while it stood still, it did nothing in 97 %", "something outside"},
		{"a long computation that holds a lock", map[string]float64{"cpu": 1, "lock": 12}, "while it stood still, it " +
			"computed",
			"profiler"},
		{"a lock of processes", map[string]float64{"cpu": 0.03, "disk": 0, "runqueue": 0, "lock": 0, "asleep": 5},
			"while it stood still, it did nothing in 97 %", "pg_locks"},
		{"a bit of everything", map[string]float64{"cpu": 0.4, "disk": 0.1}, "", "a CPU quota"},
		{"processor time is not measured", map[string]float64{"disk": 0}, "", "a CPU quota"},
	} {
		d := diagnosis{finding: single("db", causeStopped)}
		d.Standstills = []Standstill{{"web", map[string]float64{"memory": 1}}, {"db", tt.shares}}
		if got := d.meanwhile(); !strings.HasPrefix(got, tt.meanwhile) || tt.meanwhile == "" && got != "" {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.meanwhile)
		}
		first, useless := d.cureStop("db", "web")
		if !strings.Contains(first, tt.cure) || !strings.Contains(useless, "web") || strings.Contains(first, "%!") {
			t.Errorf("%s: %q, %q", tt.name, first, useless)
		}
	}
}

// What stops a server from outside is not said to be a lock, nor the other way round.
func TestStandsStillForALock(t *testing.T) {
	for want, shares := range map[string]map[string]float64{
		"something stops db": {"stopped": 0.98, "cpu": 0.02},
		"the requests of db wait for a lock inside it, and nothing leaves it meanwhile": {"lock": 12, "asleep": 14},
		"db stands still and does nothing, as if its requests waited for a lock":        {"cpu": 0.03, "asleep": 5},
	} {
		d := diagnosis{finding: single("db", causeStopped)}
		d.Standstills = []Standstill{{"db", shares}}
		if got := d.blame(); !strings.HasPrefix(got, want+": ") {
			t.Errorf("%q, want %q", got, want)
		}
		d.Edges = []Edge{{From: "db", To: "cache"}}
		first, _ := d.cureStop("db", "web")
		for in, part := range map[string]string{
			d.blame(): ", or for a connection that others keep", first: "not given back",
		} {
			if strings.Contains(in, part) != (shares["stopped"] == 0) {
				t.Errorf("it calls another tier: %q", in)
			}
		}
		d.Failed = []Failed{{From: "db", To: "127.0.0.1:6379", Times: 30}}
		if got := d.standing(); got != "something stops db" {
			t.Errorf("%q, though db can't connect to another server", got)
		}
	}
}

// The place to look for a lock depends on the program.
func TestWhereLocksAreShown(t *testing.T) {
	for program, want := range map[string]string{
		"postgres": "(pg_stat_activity (wait_event_type Lock) and pg_locks)", "spring-boot": "(a thread dump (jstack))",
		"gunicorn": "(py-spy dump)", "starman": "(strace -p of its workers, and where their databases show locks)",
		"":   "of MariaDB, pg_stat_activity",
		"go": "(the goroutines of net/http/pprof", "a server in Rust": "of MariaDB, pg_stat_activity",
	} {
		d := diagnosis{finding: single("db", causeStopped)}
		d.Programs = map[string]Program{"db": {Name: program}}
		for _, shares := range []map[string]float64{{"cpu": 0.03, "asleep": 5}, {"cpu": 0.4}} {
			d.Standstills = []Standstill{{"db", shares}}
			if first, _ := d.cureStop("db", "web"); !strings.Contains(first, want) {
				t.Errorf("%s: %s", program, first)
			}
		}
	}
}

// Callers may report that a tier stood still in which one request or none was seen: then what held it is reported
// over the whole time.
func TestCureOfStopsThatOthersTell(t *testing.T) {
	for _, tt := range []struct {
		name     string
		evidence []Held
		cure     string
	}{
		{"a signal", []Held{{"db", "stopped", 0.09}}, "kill -STOP"},
		{"the hypervisor", []Held{{"db", "steal", 0.2}}, "hypervisor"},
		{"a signal to another tier", []Held{{"web", "stopped", 0.09}}, "a CPU quota"},
		{"threads that wait for the disk now and then", []Held{{"db", "disk", 0.05}}, "a CPU quota"},
	} {
		d := diagnosis{finding: single("db", causeStopped)}
		d.Evidence = tt.evidence
		if first, _ := d.cureStop("db", "web"); !strings.Contains(first, tt.cure) {
			t.Errorf("%s: %q", tt.name, first)
		}
	}
}

// A row is locked for long, which some of the requests need; the tier goes on.
func TestLockOfSome(t *testing.T) {
	for _, tt := range []struct {
		name   string
		frozen float64
		held   []Held
		want   bool
	}{
		{"a row", 0.001, []Held{{"db", "lock", 0.5}}, true},
		{"no lock was seen", 0.001, nil, false},
		{"another tier's", 0.001, []Held{{"web", "lock", 0.5}}, false},
		{"all stood still", 0.3, []Held{{"db", "lock", 0.5}}, false},
		{"a signal", 0.001, []Held{{"db", "lock", 0.5}, {"db", "stopped", 0.1}}, false},
	} {
		d := diagnosis{finding: single("db", causeStopped), share: 0.75, seconds: 0.017}
		d.Evidence = tt.held
		d.servers = []Tier{{Tier: "db", Share: map[string]float64{stateFrozen: tt.frozen}}}
		first, useless := d.cureStop("db", "web")
		said := d.blame() + first + useless
		if strings.Contains(said, "while other requests go on") != tt.want ||
			strings.Contains(said, "on a row, a table") != tt.want ||
			strings.Contains(said, "stops db") == tt.want || strings.Contains(said, "while it stands") == tt.want {
			t.Errorf("%s: %s", tt.name, said)
		}
	}
}

// For the kernel, threads at a safepoint wait for each other: the machine's own report comes first, if it is as long.
func TestSafepoints(t *testing.T) {
	for _, tt := range []struct {
		name   string
		frozen float64
		held   []Held
		want   bool
	}{
		{"a heap dump", 0.1, []Held{{"app", atSafepoint, 0.09}}, true},
		{"little of it", 0.3, []Held{{"app", atSafepoint, 0.03}}, false},
		{"another tier's", 0.1, []Held{{"web", atSafepoint, 0.09}}, false},
		{"it did not stand still", 0, []Held{{"app", atSafepoint, 0.09}}, false},
	} {
		d := diagnosis{finding: single("app", causeStopped), share: 0.5, seconds: 0.01}
		d.Evidence = tt.held
		d.Standstills = []Standstill{{"app", map[string]float64{"cpu": 0.03, "lock": 12}}}
		d.servers = []Tier{{Tier: "app", Share: map[string]float64{stateFrozen: tt.frozen}}}
		first, _ := d.cureStop("app", "web")
		said := d.meanwhile() + first
		if strings.Contains(said, "at a safepoint") != tt.want ||
			strings.Contains(said, "-Xlog:safepoint") != tt.want ||
			strings.Contains(said, "a lock inside it") == tt.want || strings.Contains(said, "%!") {
			t.Errorf("%s: %s", tt.name, said)
		}
	}
}

// A lock holds requests while others go on: the tier hardly ever stands still, and that would be a riddle beside what
// it costs.
func TestStops(t *testing.T) {
	for _, tt := range []struct {
		frozen float64
		want   bool
	}{{0.009, false}, {0.3, true}} {
		d := diagnosis{finding: single("db", causeStopped), share: 0.57,
			servers: []Tier{{Tier: "db", Share: map[string]float64{stateFrozen: tt.frozen}}}}
		if got := strings.Contains(d.stops(), "db stood still"); got != tt.want {
			t.Errorf("%.1f %%: %s", tt.frozen*100, d.stops())
		}
	}
}

// Where the processors are full, more of them may help, whatever sleeps.
func TestLook(t *testing.T) {
	for _, c := range []struct {
		busy, work, others float64
		gain               bool
	}{
		{0.5, 0, 0, false}, {0.95, 0, 0, true}, {0.5, 0.02, 0, true}, {0.5, 0.004, 0.005, false},
		{0.5, 0.004, 0.01, true},
	} {
		d := diagnosis{Application: Application{
			Times: []TierTime{{Tier: "app", Busy: &c.busy, Own: 0.1}},
			Blame: []Excess{{Tier: "app", Cause: causeDemand, Seconds: c.work},
				{Tier: "app", Cause: causeNeighbour, Seconds: c.others}}}}
		if got := d.look("app"); strings.Contains(got, "more processors") == c.gain {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// What is the same for several tiers is said once.
func TestLookAtSeveral(t *testing.T) {
	busy, asleep := 0.5, 1.0
	d := diagnosis{finding: Finding{Verdict: Learning}, Application: Application{
		Times: []TierTime{{Tier: "web", Own: 0.02, Asleep: &asleep, Busy: &busy},
			{Tier: "app", Own: 0.03, Asleep: &asleep, Busy: &busy}},
		Blame: []Excess{{Tier: "web", Cause: causeUnknown, Seconds: 0.02},
			{Tier: "app", Cause: causeUnknown, Seconds: 0.03}}}}
	got := d.needs()
	if strings.Count(got, "Look at what requests in") != 1 || !strings.Contains(got, "in web and app wait for") {
		t.Error(got)
	}
}

// A program that computes in one thread stands still because it computes, if it does so for about half of that time.
func TestComputesAloneWhileItStandsStill(t *testing.T) {
	for program, want := range map[string]string{
		"node": "Look for one long computation in web", "": "Look for what stops web",
	} {
		d := diagnosis{finding: single("web", causeStopped)}
		d.Programs = map[string]Program{"web": {Name: program}}
		d.Standstills = []Standstill{{"web", map[string]float64{"cpu": 0.55, "asleep": 0.3}}}
		if first, _ := d.cureStop("web", "db"); !strings.HasPrefix(first, want) {
			t.Errorf("%q: %s", program, first)
		}
	}
}
