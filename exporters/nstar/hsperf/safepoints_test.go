// SPDX-License-Identifier: Apache-2.0

package hsperf

import (
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/clock"
)

// A collection that is counted as one before it is counted as a safepoint is none of the others.
func TestSafepointsBesideCollections(t *testing.T) {
	const ms = int64(time.Millisecond)
	var s safepoints
	for i, c := range []struct{ stopped, collecting, want int64 }{
		{500 * ms, 480 * ms, 0}, // earlier time is not reported
		{500 * ms, 580 * ms, 0}, // a collection has just ended
		{600 * ms, 580 * ms, 0},
		{650 * ms, 580 * ms, 50 * ms},
		{650 * ms, 680 * ms, 50 * ms},
		{760 * ms, 680 * ms, 60 * ms},
	} {
		s.observe(c.stopped, c.collecting)
		if got := s.most - s.base; got != c.want {
			t.Errorf("reading %d: %v, want %v", i, time.Duration(got), time.Duration(c.want))
		}
	}
}

// Thread dumps keep a real machine at safepoints; its collections are none of them.
func TestRealSafepoints(t *testing.T) {
	for _, java := range java(t) {
		t.Run(java, func(t *testing.T) {
			jcmd := filepath.Join(filepath.Dir(java), "jcmd")
			if _, err := exec.LookPath(jcmd); err != nil {
				t.Skip(err)
			}
			j, pid := started(t, java, "-XX:+UseSerialGC", "-Xmx220m", "testdata/java/Churn.java", "150", "600000")
			warm(t, j)
			read := func() (others, collections time.Duration) {
				t.Helper()
				if err := j.Poll(clock.Monotonic()); err != nil {
					t.Fatal(err)
				}
				d, ok, err := j.Safepoints()
				if err != nil || !ok {
					t.Fatalf("%v, %v", ok, err)
				}
				for i := range j.values {
					collections += time.Duration(j.values[i].time)
				}
				return d, collections
			}
			_, before := read()
			time.Sleep(2 * time.Second)
			calm, after := read()
			if after == before {
				t.Fatal("it has collected nothing")
			}
			if calm > (after-before)/4 {
				t.Errorf("%v at other safepoints beside collections of %v", calm, after-before)
			}
			const dumps = 5
			for range dumps {
				// of all objects: the heap is walked as a whole, without a collection before
				if out, err := exec.Command(jcmd, strconv.Itoa(pid), "GC.class_histogram",
					"-all").CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
			others, collections := read()
			t.Logf("in calm %v beside collections of %v; with %d histograms %v beside %v", calm, after-before, dumps,
				others-calm, collections-after)
			if others-calm < dumps*time.Millisecond {
				t.Errorf("%v at safepoints for %d histograms", others-calm, dumps)
			}
		})
	}
}
