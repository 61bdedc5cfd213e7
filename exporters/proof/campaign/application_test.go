// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nstar-project/nstar/exporters/nstar/config"
)

// TestSetupsLeaveRoom: a tier that grows must take nothing from the others, or its gain would say nothing.
func TestSetupsLeaveRoom(t *testing.T) {
	for _, app := range applications {
		t.Run(app.name, func(t *testing.T) {
			if len(app.setups) < 10 {
				t.Errorf("%d setups, want 10 or more", len(app.setups))
			}
			seen := map[string]bool{}
			for _, s := range app.setups {
				if seen[s.name] || s.what == "" {
					t.Errorf("%s: twice, or without a description", s.name)
				}
				seen[s.name] = true
				leavesRoom(t, app, s)
			}
		})
	}
}

func leavesRoom(t *testing.T, app *application, s setup) {
	for _, name := range append(app.tierNames(), "") {
		sum := 0.0
		for _, tier := range app.tierNames() {
			share := app.grown(s, name).shares[tier]
			if share <= 0 {
				t.Errorf("%s: %s has no share", s.name, tier)
			}
			sum += share
		}
		if sum > 1+1e-9 {
			t.Errorf("%s with a bigger %s: the shares add up to %v", s.name, name, sum)
		}
	}
	for name := range s.params {
		if _, ok := app.usual[name]; !ok {
			t.Errorf("%s: %s is no parameter", s.name, name)
		}
	}
	for name := range s.slow {
		if !slices.Contains(app.tierNames(), name) {
			t.Errorf("%s: the disk of %s, which is no tier", s.name, name)
		}
	}
}

// TestPagesAreAskedFor: a setup of lamp without pages would ask for nothing.
func TestPagesAreAskedFor(t *testing.T) {
	for _, s := range lamp.setups {
		if len(s.mix) == 0 {
			t.Errorf("%s asks for no page", s.name)
		}
	}
}

// TestParametersAreRead: a parameter that no script knows would change nothing, and a pool that is none would not grow.
func TestParametersAreRead(t *testing.T) {
	var scripts strings.Builder
	files, _ := filepath.Glob("../../../deploy/pipeline/*")
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		scripts.Write(content)
	}
	for name := range pipeline.usual {
		if strings.Count(scripts.String(), name) < 2 { // the file that describes it, and the file that reads it
			t.Errorf("no script of the pipeline reads %s", name)
		}
	}
	for _, app := range applications {
		for _, tier := range app.tiers {
			for _, name := range append(slices.Clone(tier.pools), tier.rescued...) {
				if _, ok := app.usual[name]; !ok {
					t.Errorf("%s: %s has %s, which is no parameter", app.name, tier.name, name)
				}
			}
		}
	}
}

func TestGrownIsAnotherSetup(t *testing.T) {
	s := setup{name: "a", shares: shares(0.1, 0.2, 0.3), params: map[string]string{"CHILDREN": "3"},
		slow: map[string]disk{"mariadb": {reads: 100}}}
	php, db := lamp.grown(s, "php"), lamp.grown(s, "mariadb")
	if math.Abs(php.shares["php"]-0.3) > 1e-9 || php.params["CHILDREN"] != "6" || php.slow["mariadb"].reads != 100 ||
		php.params["WORKERS"] != lamp.usual["WORKERS"] {
		t.Errorf("bigger php: %+v", php)
	}
	if db.slow["mariadb"].reads != 200 || db.params["DB_THREADS"] != "64" || s.shares["mariadb"] != 0.3 ||
		s.params["CHILDREN"] != "3" || s.slow["mariadb"].reads != 100 {
		t.Errorf("bigger mariadb: %+v; before %+v", db, s)
	}
	s = setup{name: "b", shares: kafkaSparkCassandra(0.1, 0.2, 0.3), params: map[string]string{"QUOTA_BYTES": "1000"},
		slow: map[string]disk{"cassandra": {writes: 50}}}
	kafka, cassandra := pipeline.grown(s, "kafka"), pipeline.grown(s, "cassandra")
	if kafka.params["QUOTA_BYTES"] != "2000" || kafka.params["IO_THREADS"] != "16" ||
		kafka.slow["cassandra"].writes != 50 {
		t.Errorf("bigger kafka: %+v", kafka)
	}
	if cassandra.slow["cassandra"].writes != 100 || cassandra.params["WRITE_THREADS"] != "64" ||
		cassandra.params["QUOTA_BYTES"] != "1000" {
		t.Errorf("bigger cassandra: %+v", cassandra)
	}
}

// TestNstarReadsItsTiers: the configurations that Nstar gets are valid, and have the servers that get requests.
func TestNstarReadsItsTiers(t *testing.T) {
	for app, want := range map[*application]int{&lamp: 3, &pipeline: 2} {
		c, err := config.Parse("nstar.yml", []byte(app.nstar()))
		if err != nil {
			t.Errorf("%s: %v", app.name, err)
			continue
		}
		if len(c.Tiers) != want {
			t.Errorf("%s: %d tiers, want %d", app.name, len(c.Tiers), want)
		}
	}
}

// TestSaturating: clients that wait for an answer ask less often than clients that do not.
func TestSaturating(t *testing.T) {
	if got := lamp.saturating(10, 0.5, lamp.think); math.Abs(got-25) > 1e-9 {
		t.Errorf("%v clients saturate lamp, want 25", got)
	}
	if got := pipeline.saturating(1000, 0.5, pipeline.think); math.Abs(got-10) > 1e-9 {
		t.Errorf("%v clients saturate the pipeline, want 10", got)
	}
}
