// SPDX-License-Identifier: Apache-2.0

package metrics

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
	"github.com/nstar-project/nstar/exporters/nstar/causes/topology"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/monitor"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/why"
)

// sockets is a machine of two sockets with a cache each.
func sockets(t *testing.T, cpusEach int) topology.Topology {
	t.Helper()
	tree := fstest.MapFS{"online": {Data: fmt.Appendf(nil, "0-%d", 2*cpusEach-1)}}
	for cpu := range 2 * cpusEach {
		s := cpu / cpusEach
		at := fmt.Sprintf("cpu%d/", cpu)
		tree[at+"topology/physical_package_id"] = &fstest.MapFile{Data: fmt.Append(nil, s)}
		tree[at+"cache/index3/level"] = &fstest.MapFile{Data: []byte("3")}
		tree[at+"cache/index3/shared_cpu_list"] = &fstest.MapFile{Data: fmt.Appendf(nil, "%d-%d", s*cpusEach,
			(s+1)*cpusEach-1)}
	}
	out, err := topology.Read(tree)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// webOn is a tier that ran on some processors, and moved.
func webOn(h causes.Host, cores map[int]why.OnCore) Collector {
	t := monitor.Tier{TierName: discovery.TierName{App: "shop", Tier: "web"}, HasJudged: true}
	t.Placement = why.Placement{Cores: cores, Moves: causes.Moves{Within: 70, Across: 7, Misses: 1e6}, WithDisk: -0.5}
	return Collector{Monitor: fixed{state: monitor.State{Tiers: []monitor.Tier{t}, Host: h}}, Window: width50}
}

// exported are the samples that say where tiers ran.
func exported(t *testing.T, c Collector) string {
	t.Helper()
	registry, get := handler(c)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	if problems, err := promlint.NewWithMetricFamilies(families).Lint(); err != nil || len(problems) > 0 {
		t.Errorf("%v %v", problems, err)
	}
	text, code := get("text/plain")
	if code != 200 {
		t.Fatal(text)
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		if regexp.MustCompile(
			"^nstar_(tier_core_|tier_migrations|tier_cache|tier_processor_disk|domain_|core_)").MatchString(line) {
			out.WriteString(line)
		}
	}
	return out.String()
}

func TestPlaces(t *testing.T) {
	h := causes.Host{Topology: sockets(t, 2), ByCore: true, Migrations: true, Misses: map[int]float64{0: 5e6, 3: 1}}
	got := exported(t, webOn(h, map[int]why.OnCore{0: {Ran: 3}, 2: {Ran: 2, Disk: 1.5}, 9: {Ran: 0.25}}))
	want := `nstar_core_cache_misses_total{cpu="0",domain="0"} 5e+06
nstar_core_cache_misses_total{cpu="3",domain="1"} 1
nstar_domain_processors{cpus="0-1",domain="0",level="3",package="0"} 2
nstar_domain_processors{cpus="2-3",domain="1",level="3",package="1"} 2
nstar_tier_cache_misses_total{app="shop",tier="web"} 1e+06
nstar_tier_core_disk_seconds_total{app="shop",cpu="2",domain="1",tier="web"} 1.5
nstar_tier_core_seconds_total{app="shop",cpu="0",domain="0",tier="web"} 3
nstar_tier_core_seconds_total{app="shop",cpu="2",domain="1",tier="web"} 2
nstar_tier_core_seconds_total{app="shop",cpu="9",domain="",tier="web"} 0.25
nstar_tier_migrations_total{across="core",app="shop",tier="web"} 70
nstar_tier_migrations_total{across="domain",app="shop",tier="web"} 7
nstar_tier_processor_disk_pearson{app="shop",tier="web"} -0.5
`
	if got != want {
		t.Errorf("got:\n%swant:\n%s", got, want)
	}
}

// On a large machine the domains must do.
func TestPlacesOfManyProcessors(t *testing.T) {
	h := causes.Host{Topology: sockets(t, 40), ByCore: true, Misses: map[int]float64{0: 1}}
	got := exported(t, webOn(h, map[int]why.OnCore{0: {Ran: 3}, 2: {Ran: 2}, 41: {Ran: 1}}))
	for _, want := range []string{
		`nstar_tier_core_seconds_total{app="shop",cpu="all",domain="0",tier="web"} 5`,
		`nstar_tier_core_seconds_total{app="shop",cpu="all",domain="1",tier="web"} 1`,
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	if strings.Contains(got, "nstar_core_cache_misses_total") || strings.Contains(got, "migrations") ||
		strings.Count(got,
			"core_seconds") != 2 {
		t.Errorf("too much:\n%s", got)
	}
}

// There are no series for features that are switched off, and none for a tier without a known window.
func TestNoPlaces(t *testing.T) {
	if got := exported(t, webOn(causes.Host{}, map[int]why.OnCore{0: {Ran: 3}})); got != "" {
		t.Errorf("switched off:\n%s", got)
	}
	h := causes.Host{ByCore: true, Migrations: true, Misses: map[int]float64{}}
	if got := exported(t, webOn(h, nil)); got != "" {
		t.Errorf("nothing known:\n%s", got)
	}
}
