// SPDX-License-Identifier: Apache-2.0

package main

import (
	"path"
	"strings"
	"time"
)

const second = time.Second

// scenario is a load and faults, and the truth about them.
type scenario struct {
	app     application
	name    string
	params  params
	loads   demand
	well    float64 // share of the capacity at which pages must be quick, or the capacity is less
	stops   []stops
	cold    bool               // not warmed up before it is measured
	patient bool               // pages may take long on purpose: how long they take puts nothing in doubt
	alike   bool               // servers, load, neighbours and exporters have the usual priority
	beside  func(*stack) error // starts the fault that affects the application beside its load
	lasts   time.Duration      // how long it is judged, if that is longer than the options say
	unseen  string             // a tier that no exporter is to see, as on a host that belongs to others
	expect  expectation
}

// params are environment variables of the scripts that start an application.
type params = map[string]string

// campaign is what the options select.
func campaign(o options) []scenario {
	var out []scenario
	add := func(app application, all []scenario) {
		for _, s := range append(all, besets(all)...) {
			s.app = app
			if (o.app == "" || o.app == app.name) && selected(o.only, s.name) {
				out = append(out, s)
			}
		}
	}
	add(board, boardScenarios())
	add(blog, blogScenarios())
	add(shop, shopScenarios())
	add(news, newsScenarios())
	add(mesh, meshScenarios())
	add(wiki, wikiScenarios())
	add(stream, streamScenarios())
	add(tracker, trackerScenarios())
	add(identity, identityScenarios())
	add(forge, forgeScenarios())
	add(desk, deskScenarios())
	add(magazine, magazineScenarios())
	add(mail, mailScenarios())
	add(ticketing, ticketingScenarios())
	add(cluster, clusterScenarios())
	add(chat, chatScenarios())
	add(orders, ordersScenarios())
	add(pipeline, pipelineScenarios())
	return out
}

func selected(patterns, name string) bool {
	for _, p := range strings.Split(patterns, ",") {
		if ok, _ := path.Match(p, name); ok {
			return true
		}
	}
	return false
}

// demand is the load of an application with this capacity in pages per second.
type demand func(capacity float64) []load

// visit are visitors who use a share of the capacity.
func visit(share float64) demand { return visitors(share, 2*second) }

// visitors are those of visit, with this think time.
func visitors(share float64, think time.Duration) demand {
	return func(capacity float64) []load { return []load{independent(share*capacity, think)} }
}

// and adds a load to a demand.
func (d demand) and(others load) demand {
	return func(capacity float64) []load { return append(d(capacity), others) }
}

// slow is few pages a second, on any machine.
func slow(rate float64) demand {
	return func(float64) []load { return []load{independent(rate, 5*second)} }
}

// crowd are users who keep the application at its limit.
func crowd(users int, think time.Duration, pages ...string) demand {
	return func(float64) []load { return []load{{users: users, think: think, pages: pages}} }
}

// calmThenCrowd is few visitors, and after half a minute many.
func calmThenCrowd(users int, pages ...string) demand {
	return func(float64) []load {
		return []load{
			{users: 4, think: 2 * second, pages: pages},
			{users: users, think: second, pages: pages, from: 30 * second, duration: time.Hour},
		}
	}
}

// fromDisk makes MariaDB read most of the requested data from its disk.
var fromDisk = params{"MARIADB_OPTIONS": "--innodb-buffer-pool-size=6M --innodb-flush-method=O_DIRECT"}

// A burst comes when the application is known, and ends before the next step.
const (
	burstFrom   = 60 * second
	burstLength = 15 * second
)

// burst is a quiet load, and for some time a crowd that no server can follow.
func burst(capacity float64) []load {
	crowd := independent(1.5*capacity, second)
	crowd.from, crowd.duration = burstFrom, burstLength
	return []load{independent(0.3*capacity, second), crowd}
}

// stop stops a tier again and again.
func stop(tier string, length time.Duration) []stops {
	return []stops{{tier: tier, every: 2 * second, length: length}}
}

// bottleneck is the verdict that one tier is to blame for the waiting.
func bottleneck(tier, cause string) string { return "single_bottleneck/" + tier + "/" + cause }

// is returns the truth that one tier is to blame for the waiting, from the beginning.
func is(tier, cause string) expectation { return always(bottleneck(tier, cause)) }

// orUnknown leaves open why.
func (e expectation) orUnknown(tier string) expectation { return e.or(bottleneck(tier, "unknown")) }

// burstOf is the truth of a burst: the tier (or one of the tiers) that is at its limit, as long as the last minute
// contains some of the burst, or of the queue that it left. No tier has to be named: the burst passes.
func burstOf(tiers ...string) expectation {
	may := []string{"healthy"}
	for _, tier := range tiers {
		may = append(may, bottleneck(tier, "burst"), bottleneck(tier, "demand"))
	}
	return always("healthy").then(burstFrom, may...).then(burstFrom+burstLength+85*second, "healthy")
}

// coldStartOf is the truth of a cold start: the tier that is slow at first may be named for two minutes.
func coldStartOf(tier string) expectation {
	return always("healthy", bottleneck(tier, "demand"), bottleneck(tier, "burst")).then(120*second, "healthy")
}

// crowdedOut is the truth of a crowd after a calm half minute, if there are too few places in one of the tiers.
func crowdedOut(tiers ...string) expectation {
	var few []string
	for _, tier := range tiers {
		few = append(few, bottleneck(tier, "soft_resource"))
	}
	return always("healthy", "learning").then(30*second, append([]string{"healthy"}, few...)...).
		then(90*second, few...).orUnknown(tiers[0])
}
