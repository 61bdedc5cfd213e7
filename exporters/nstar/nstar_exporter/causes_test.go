// SPDX-License-Identifier: Apache-2.0

package main

import (
	"net/http"
	"strings"
	"testing"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
)

// Causes come with the windows of a tier, each two seconds after its queue.
func TestCauses(t *testing.T) {
	e := start(t, "", 1, "--bpf.stats")
	address := neighbour(t, "others", nil).address
	e.eventually("the tier is known", func() bool { return strings.Contains(e.get("/metrics"), `tier="others"`) })
	tier := map[string]string{"tier": "others"}
	e.eventually("its processor time is counted", func() bool {
		for range 20 {
			response, err := http.Get("http://" + address)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
		}
		return sums(t, e.get("/metrics"), tier)["nstar_tier_cpu_seconds_total"] > 0
	})
	metrics, windows := e.get("/metrics"), e.get("/windows?consumer=test")
	for _, k := range causes.Switches() {
		if want := `nstar_cause_up{cause="` + k.Name + `"} `; !strings.Contains(metrics, want) {
			t.Errorf("no %s", want)
		}
	}
	for _, want := range []string{"nstar_window_cpu_ratio{", "nstar_window_runqueue_ratio{",
		"nstar_window_disk_ratio{"} {
		if !strings.Contains(windows, want) {
			t.Errorf("no %s in the windows", want)
		}
	}
	for _, want := range []string{
		`nstar_tier_core_seconds_total{app="default",cpu="0",domain="0",tier="others"}`,
		`nstar_tier_migrations_total{across="core",app="default",tier="others"}`,
		`nstar_bpf_run_seconds_total{program="nstar_migrate"}`, `nstar_domain_processors{`,
	} {
		if !strings.Contains(metrics, want) {
			t.Errorf("no %s in the metrics", want)
		}
	}
	if !strings.Contains(metrics,
		`nstar_tier_neighbour_seconds_total{app="default",neighbour="other",own_application="false",tier="others"}`) {
		t.Error("no neighbours in the metrics")
	}
	e.stop()
}

// If all of them are switched off, nothing more is in the kernel than without them.
func TestCausesOff(t *testing.T) {
	on := start(t, "", 1)
	var args []string
	for _, k := range causes.Switches() {
		args = append(args, "--no-cause."+k.Name)
	}
	off := start(t, "", 1, args...)
	if strings.Contains(off.get("/metrics"), "nstar_cause_up") {
		t.Error("causes are measured that are switched off")
	}
	if with, without := len(links(t, on.Process.Pid)), len(links(t,
		off.Process.Pid)); without > with-4 { // four programs, five if cache misses can be counted
		t.Errorf("%d programs are attached, with the causes %d", without, with)
	}
	on.stop()
	off.stop()
}
