// SPDX-License-Identifier: Apache-2.0

package load

import (
	"math"
	"os"
	"testing"
	"time"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
)

// The test itself is a tier that works for a while.
func TestLoads(t *testing.T) {
	l := New("/proc")
	me := discovery.TierName{App: "default", Tier: "me"}
	l.Follow(discovery.Snapshot{Tiers: []discovery.Tier{{App: me.App, Name: me.Tier, PIDs: []int32{int32(os.Getpid())}}}})
	wanted := func(discovery.TierName) bool { return true }
	l.Read(clock.Monotonic(), wanted)
	if got := l.Of(me); !math.IsNaN(got.Used) {
		t.Errorf("%+v after the first reading", got)
	}
	for begin := time.Now(); time.Since(begin) < 300*time.Millisecond; {
	}
	l.Read(clock.Monotonic(), wanted)
	if got := l.Of(me); !(got.Used > 0 && got.Busy > 0 && got.Busy <= 1) {
		t.Errorf("%+v after working", got)
	}
	if got := l.Of(discovery.TierName{App: "default", Tier: "other"}); !math.IsNaN(got.Busy) {
		t.Errorf("%+v of a tier that does not exist", got)
	}
}

func TestBusy(t *testing.T) {
	before := map[int64]procfs.CPUStat{0: {User: 1, Idle: 1}, 1: {User: 5, Idle: 5}}
	after := map[int64]procfs.CPUStat{0: {User: 2, System: 1, Steal: 1, Idle: 1.5, Iowait: 0.5}, 1: {User: 5, Idle: 9}}
	var first, both unix.CPUSet
	first.Set(0)
	both.Set(0)
	both.Set(1)
	if got, _ := shares(before, after, &first); math.Abs(got-0.75) > 1e-9 {
		t.Errorf("first processor busy for %g, want 0.75", got)
	}
	if got, _ := shares(before, after, &both); math.Abs(got-0.375) > 1e-9 {
		t.Errorf("both processors busy for %g, want 0.375", got)
	}
	if got, _ := shares(nil, after, &both); !math.IsNaN(got) {
		t.Errorf("busy for %g without an earlier reading", got)
	}
}
