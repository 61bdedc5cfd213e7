// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestReadPlacements(t *testing.T) {
	const tomcat, second = `"app":"shop","tier":"tomcat","instance":"h:9965"`,
		`"app":"shop","tier":"tomcat","instance":"i:9965"`
	r := server(t, "2.42.0", "nstar:app_verdict", recorded{
		"nstar:app_verdict": {`{"app":"shop","verdict":"single_bottleneck","tier":"tomcat","cause":"demand"}`: 0.5},
		"nstar_domain_processors": {
			`{"instance":"h:9965","domain":"0","cpus":"0-3,8-11"}`:  8,
			`{"instance":"h:9965","domain":"1","cpus":"4-7,12-15"}`: 8,
			`{"instance":"i:9965","domain":"0","cpus":"0-1"}`:       2,
		},
		"nstar_tier_core_seconds_total": {
			`{` + tomcat + `,"domain":"0"}`: 1, `{` + tomcat + `,"domain":"1"}`: 1.5, `{` + tomcat + `,"domain":""}`: 7,
			`{` + second + `,"domain":"0"}`:                                0.5,
			`{"app":"gone","tier":"web","instance":"h:9965","domain":"0"}`: 1,
		},
		"topk by (app, tier, instance)": {
			`{` + tomcat + `,"cpu":"3"}`: 0.9, `{` + second + `,"cpu":"1"}`: 0.8},
		"sum by (app, tier, instance, cpu) (rate(nstar_tier_core_seconds_total": {
			`{` + tomcat + `,"cpu":"3"}`: 0.25, `{` + second + `,"cpu":"0"}`: 0.5},
		"avg_over_time(nstar:host_iowait_concentration": {`{"instance":"h:9100"}`: 0.85, `{"instance":"i:9100"}`: 0.95},
		"topk by (instance) (1, avg_over_time(nstar:core_iowait": {
			`{"instance":"h:9100","cpu":"3"}`: 0.4, `{"instance":"i:9100","cpu":"0"}`: 0.4},
		"avg_over_time(nstar:tier_cache_misses": {`{"app":"shop","tier":"tomcat"}`: 2000,
			`{"app":"gone","tier":"web"}`: 1},
		"min_over_time(nstar:tier_cache_misses": {`{"app":"shop","tier":"tomcat"}`: 800},
		"nstar_tier_migrations_total":           {`{` + tomcat + `}`: 1200},
		"nstar_tier_processor_disk_pearson":     {`{` + second + `}`: -0.5},
	})
	o, err := r.Read(context.Background(), "", 3*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	want := []Placement{
		{Tier: "tomcat", Instance: "h:9965", Used: 2.5, Crossings: 1200,
			Domains: []DomainShare{{"4-7,12-15", 8, 0.6}, {"0-3,8-11", 8, 0.4}}, Disk: &DiskCore{"3", 0.9, 0.25, 0.85}},
		{Tier: "tomcat", Instance: "i:9965", Used: 0.5, Domains: []DomainShare{{"0-1", 2, 1}}, WithDisk: ptr(-0.5),
			Disk: &DiskCore{"1", 0.8, 0, 0}},
	}
	if len(o.Apps) != 1 {
		t.Fatalf("applications %+v", o.Apps)
	}
	if diff := cmp.Diff(want, o.Apps[0].Placements, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(map[string]Misses{"tomcat": {2000, 800}}, o.Apps[0].Misses); diff != "" {
		t.Errorf("misses: -want +got:\n%s", diff)
	}
}

// The misses of the last-level cache stand beside the caches that a tier ran on, or alone where there are more than
// before.
func TestPlacedWithMisses(t *testing.T) {
	on := func(shares ...float64) (p Placement) {
		p = Placement{Tier: "tomcat", Used: 2}
		for i, share := range shares {
			p.Domains = append(p.Domains, DomainShare{strconv.Itoa(i), 4, share})
		}
		return p
	}
	for name, c := range map[string]struct {
		cause  string
		where  Placement
		misses Misses
		want   string
	}{
		"on two caches": {causeDemand, on(0.6, 0.4), Misses{2000, 1500},
			"(its processor time: 60 % on processors 0 and 40 % on processors 1; 2000 misses for each request). It"},
		"on two, and more than before": {causeDemand, on(0.6, 0.4), Misses{2000, 800},
			"; 2000 misses for each request, 2.5 times the lowest number of the last hour). It"},
		"on one, and more than before": {causeDemand, on(1), Misses{2000, 800},
			"tomcat finds less data in the last-level cache than before: 2000 misses for each request, 2.5 times the " +
				"lowest number of the last hour."},
		"on one, as ever":         {causeDemand, on(1), Misses{2000, 1500}, ""},
		"before is not known":     {causeDemand, on(1), Misses{2000, 0}, ""},
		"processors do not limit": {causePlace, on(1), Misses{2000, 800}, ""},
	} {
		d := diagnosis{Application: Application{Placements: []Placement{c.where},
			Misses: map[string]Misses{"tomcat": c.misses}},
			finding: single("tomcat", c.cause)}
		got := strings.Join(d.placed(), " ")
		if !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q lacks %q", name, got, c.want)
		}
	}
}

// One processor takes the disk's interrupts where waiting ends there and the server computes elsewhere.
func TestDiskInterrupts(t *testing.T) {
	on := func(core DiskCore) []Placement { return []Placement{{Tier: "db", Used: 0.8, Disk: &core}} }
	disk := []Held{{"db", "disk", 0.6}}
	for name, c := range map[string]struct {
		where []Placement
		held  []Held
		want  string
	}{
		"of the host, too": {on(DiskCore{"3", 0.9, 0.1, 0.85}), disk,
			"90 % of db's waiting for the disk ended on processor 3 (and " +
				"85 % of the I/O wait of its host), where it has only 12 % of its processor time: that processor " +
				"handles the disk's interrupts (see /proc/interrupts). Spread them over several processors " +
				"(irqbalance, smp_affinity of the interrupt, a device with several queues), or keep other work off " +
				"that processor."},
		"the host is not known": {on(DiskCore{"3", 0.9, 0.1, 0}), disk, "ended on processor 3, where it has only"},
		"pinned or one thread":  {on(DiskCore{"3", 1, 0.8, 1}), disk, ""},
		"hardly waits":          {on(DiskCore{"3", 0.9, 0.1, 0.85}), []Held{{"db", "disk", 0.1}}, ""},
		"spread over its cores": {[]Placement{{Tier: "db", Used: 0.8}}, disk, ""},
		"another tier's interrupt": {[]Placement{{Tier: "web", Used: 0.8, Disk: &DiskCore{"3", 0.9, 0.1, 0}}}, disk,
			""},
	} {
		d := diagnosis{Application: Application{Placements: c.where, Evidence: c.held},
			finding: single("db", causeDisk)}
		got := strings.Join(d.placed(), " ")
		if !strings.Contains(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s: %q lacks %q", name, got, c.want)
		}
	}
}

func TestPlaced(t *testing.T) {
	halves := func(used, main, crossings float64) Placement {
		return Placement{Tier: "tomcat", Used: used, Crossings: crossings,
			Domains: []DomainShare{{"0-3", 4, main}, {"4-7", 4, 1 - main}}}
	}
	turns := func(pearson float64) Placement {
		return Placement{Tier: "tomcat", Used: 0.5, Domains: []DomainShare{{"0-3", 4, 1}}, WithDisk: &pearson}
	}
	disk := []Held{{"tomcat", "disk", 0.31}, {"db", "disk", 2}}
	for name, c := range map[string]struct {
		finding Finding
		where   []Placement
		held    []Held
		want    []string
	}{
		"half and half": {single("tomcat", causeDemand), []Placement{halves(2, 0.6, 1234)}, nil, []string{
			"tomcat ran on 2 last-level caches (its processor time: 60 % on processors 0-3 and 40 % on processors " +
				"4-7; its threads moved from one cache to another 1234 times a second and left the data in the cache " +
				"behind). It uses 2.0 processors and has room on 0-3: keep it there (CPUAffinity=, a cpuset or " +
				"taskset -a), and check whether it serves more."}},
		"too much for one": {single("tomcat", causeDemand), []Placement{halves(3.5, 0.55, 0)}, nil, []string{
			"tomcat ran on 2 last-level caches (its processor time: 55 % on processors 0-3 and 45 % on processors " +
				"4-7). It uses 3.5 processors, too many for one cache: run one process for each cache, and keep the " +
				"process there."}},
		"the worst server": {single("tomcat", causeBurst), []Placement{halves(0.1, 0.5, 0), halves(2, 0.9, 0)}, nil,
			nil},
		"nearly all on one":       {single("tomcat", causeDemand), []Placement{halves(2, 0.85, 900)}, nil, nil},
		"hardly computes":         {single("tomcat", causeDemand), []Placement{halves(0.2, 0.5, 900)}, nil, nil},
		"another tier":            {single("db", causeDemand), []Placement{halves(2, 0.5, 900)}, nil, nil},
		"processors do not limit": {single("tomcat", causePlace), []Placement{halves(2, 0.5, 900)}, nil, nil},
		"healthy":                 {Finding{Verdict: Healthy}, []Placement{halves(2, 0.5, 900)}, nil, nil},
		"takes turns": {single("tomcat", causeUnknown), []Placement{turns(-0.1), turns(-0.62)}, disk, []string{
			"tomcat took turns between processor and disk (correlation -0.62 at 100 ms; 0.5 processors, 310 ms a " +
				"second of waiting for the disk): neither looks busy, and both hold it back. A quicker disk, or " +
				"fewer and larger writes, may gain as much as processors."}},
		"hardly waits for the disk": {single("tomcat", causeDemand), []Placement{turns(-0.62)}, nil, nil},
		"together":                  {single("tomcat", causeDemand), []Placement{turns(0.62)}, disk, nil},
	} {
		d := diagnosis{Application: Application{Placements: c.where, Evidence: c.held}, finding: c.finding}
		if diff := cmp.Diff(c.want, d.placed()); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}
