// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// The counters of both versions, as the kernel writes them.
func TestThrottleCounter(t *testing.T) {
	for _, c := range []struct {
		text  string
		first bool
		want  float64
		ok    bool
	}{
		{"nr_periods 10\nnr_throttled 4\nthrottled_time 250000000\nnr_bursts 0\n", true, 0.25, true},
		{"usage_usec 9\nnr_periods 10\nnr_throttled 4\nthrottled_usec 250000\n", false, 0.25, true},
		{"usage_usec 9\n", false, 0, false}, // the controller is not there
		{"throttled_usec many\n", false, 0, false},
	} {
		m := throttle{group: group{first: c.first}}
		if got, ok := m.seconds(c.text); got != c.want || ok != c.ok {
			t.Errorf("%q: %v, %v", c.text, got, ok)
		}
	}
}

// Of a group and its parents, the one that takes most counts. Without a quota nothing is taken, and a tier whose group
// is not known has no share.
func TestThrottled(t *testing.T) {
	procRoot, root := host(t, mountinfo, map[int]string{
		5: "3:cpu,cpuacct:/shop/db\n", 6: "3:cpu,cpuacct:/free\n", 7: "3:cpu,cpuacct:/shop\n",
	})
	at := root + "/sys/fs/cgroup/cpu,cpuacct/"
	stat := func(dir string, ns int) {
		put(t, at+dir+"/cpu.stat", fmt.Sprintf("nr_periods 0\nnr_throttled 0\nthrottled_time %d\n", ns))
	}
	put(t, at+"shop/cpu.cfs_quota_us", "50000\n")
	put(t, at+"shop/db/cpu.cfs_quota_us", "20000\n")
	put(t, at+"free/cpu.cfs_quota_us", "-1\n")
	stat("shop", 0)
	stat("shop/db", 1000)
	stat("free", 0)
	s := &shared{options: Options{ProcRoot: procRoot}, asked: asked(0, 1, 2, 3)}
	c, err := openThrottled(s)
	if err != nil {
		t.Fatal(err)
	}
	f := c.(*throttled)
	tiers := []Tier{
		{Station: 0, App: "shop", Name: "db", PIDs: []int32{5}},
		{Station: 1, App: "shop", Name: "free", PIDs: []int32{6}},
		{Station: 2, App: "shop", Name: "web", PIDs: []int32{7}},
		{Station: 3, App: "shop", Name: "gone", PIDs: []int32{8}},
	}
	f.Follow(tiers)
	f.Poll(100 * ms)
	stat("shop", 10e6)
	stat("shop/db", 1000+40e6)
	f.Poll(125 * ms)
	f.Poll(150 * ms)
	w := Window{From: 75 * ms, To: 125 * ms}
	for tier, want := range []float64{0.8, 0, 0.2, math.NaN()} {
		if got := f.Share(tiers[tier].Station, w); math.Abs(got-want) > 1e-9 || math.IsNaN(got) != math.IsNaN(want) {
			t.Errorf("%s: %v, want %v", tiers[tier].Name, got, want)
		}
	}
	if got := f.Share(0, Window{From: 125 * ms, To: 175 * ms}); got != 0 {
		t.Errorf("%v in the next window", got)
	}
	// one quota appears and another one disappears, without a scan
	put(t, at+"free/cpu.cfs_quota_us", "10000\n")
	put(t, at+"shop/db/cpu.cfs_quota_us", "-1\n")
	f.Poll(2 * time.Second)
	stat("free", 50e6)
	stat("shop/db", 1e9)
	f.Poll(2*time.Second + 50*ms)
	w = Window{From: 2 * time.Second, To: 2*time.Second + 50*ms}
	if got, gone := f.Share(1, w), f.Share(0, w); math.Abs(got-1) > 1e-9 || gone != 0 {
		t.Errorf("%v by the quota that came, %v by the one that went", got, gone)
	}
	f.Follow(nil)
	if len(f.all) != 0 {
		t.Errorf("%d files are still open", len(f.all))
	}
}

// asked makes tiers active.
func asked(tiers ...window.Station) map[window.Station]time.Duration {
	out := make(map[window.Station]time.Duration)
	for _, t := range tiers {
		out[t] = 0
	}
	return out
}
