// SPDX-License-Identifier: Apache-2.0

// Package applications tells apart the applications of a host that nobody named. Servers that call each other belong
// together. Others beside them, such as a server of tests or an agent that other programs of the host ask, would be
// further front tiers of the same application: their quick requests would hide that its users wait. It is pure.
package applications

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// Tier is a tier that no rule puts into an application.
type Tier struct {
	Name     string
	Requests uint64 // that came since it was found
	// Fixed says that it may belong to the host's main application even if nothing seems to connect them: a rule names
	// it, it has clients or destinations that are not on this host, or its calls can't be seen.
	Fixed bool
}

// Call says that one tier has called another one.
type Call struct{ From, To string }

// Division is how the tiers are divided. The zero value knows nothing.
type Division struct {
	own   map[string]string // tiers that are in no application of others: the application, by tier
	main  map[string]bool   // tiers that were ever in the main application
	fixed map[string]bool
	calls map[Call]bool
	since map[string]time.Duration // monotonic: when a tier was first found with requests
}

// When servers are taken for an application of their own: so many requests have come, and nothing has connected them
// with the others for so long. A single server would have called others for its first requests. Several are divided
// later: what connects them may be a page that is rarely asked for. Few requests are enough after longer: those that
// wait for jobs, as in a server of queues, last long themselves.
const (
	singleRequests  = 10
	singleAnyway    = time.Minute
	severalRequests = 200
	severalAfter    = time.Minute
	severalAnyway   = 5 * time.Minute
)

// Of is the application of a tier if it is apart.
func (d *Division) Of(tier string) (app string, apart bool) {
	app, apart = d.own[tier]
	return app, apart
}

// Divide learns which tiers there are and what they called, and returns the applications of those that are apart, by
// tier. What once belonged together stays together. An application that others have named is taken for none of these.
func (d *Division) Divide(tiers []Tier, calls []Call, named map[string]bool, now time.Duration) map[string]string {
	d.learn(tiers, calls, now)
	groups := d.groups(tiers)
	d.settle(groups)
	own := make(map[string]string)
	for _, g := range groups {
		if app := d.name(g); len(d.main) > 0 && !named[app] && d.isApart(g, now) {
			for _, t := range g {
				own[t.Name] = app
			}
		}
	}
	d.own = own
	return own
}

// learn keeps what is known of tiers that are still there.
func (d *Division) learn(tiers []Tier, calls []Call, now time.Duration) {
	there := make(map[string]bool, len(tiers))
	for _, t := range tiers {
		there[t.Name] = true
	}
	fixed, known, since := make(map[string]bool), make(map[Call]bool), make(map[string]time.Duration)
	for _, t := range tiers {
		fixed[t.Name] = t.Fixed || d.fixed[t.Name]
		if first, ok := d.since[t.Name]; ok {
			since[t.Name] = first
		} else if t.Requests > 0 {
			since[t.Name] = now
		}
	}
	for _, c := range slices.AppendSeq(slices.Clone(calls), maps.Keys(d.calls)) {
		if there[c.From] && there[c.To] {
			known[c] = true
		}
	}
	d.fixed, d.calls, d.since = fixed, known, since
}

// groups are the tiers that calls connect, by name.
func (d *Division) groups(tiers []Tier) (out [][]Tier) {
	of := make(map[string]string, len(tiers)) // a tier that stands for its group
	for _, t := range tiers {
		of[t.Name] = t.Name
	}
	join := func(a, b string) {
		for name, stands := range of {
			if stands == a {
				of[name] = b
			}
		}
	}
	for c := range d.calls {
		join(of[c.From], of[c.To])
	}
	at := make(map[string]int)
	sorted := slices.SortedFunc(slices.Values(tiers), func(a, b Tier) int { return cmp.Compare(a.Name, b.Name) })
	for _, t := range sorted {
		i, ok := at[of[t.Name]]
		if !ok {
			i = len(out)
			at[of[t.Name]] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], t)
	}
	return out
}

// home is the group that is the main application: the one that was, or else one that is asked, the largest. There must
// be one.
func (d *Division) home(groups [][]Tier) []Tier {
	rank := func(g []Tier) []int {
		main := 0
		for _, t := range g {
			if d.main[t.Name] {
				main++
			}
		}
		return []int{main, int(min(requests(g), severalRequests)), len(g)}
	}
	return slices.MaxFunc(groups, func(a, b []Tier) int { return slices.Compare(rank(a), rank(b)) })
}

func requests(g []Tier) (n uint64) {
	for _, t := range g {
		n += t.Requests
	}
	return n
}

// settle notes the tiers of the main application, once it is asked. They stay in it: while a server is away, nothing
// may connect those that call it with those that it calls.
func (d *Division) settle(groups [][]Tier) {
	if len(groups) == 0 {
		return
	}
	g := d.home(groups)
	if len(d.main) == 0 {
		if len(g) < 2 || requests(g) < severalRequests {
			return
		}
		d.main = make(map[string]bool)
	}
	for _, t := range g {
		d.main[t.Name] = true
	}
}

// isApart reports whether enough is known of a group that nothing connects with others.
func (d *Division) isApart(g []Tier, now time.Duration) bool {
	age := time.Duration(0)
	for _, t := range g {
		if d.fixed[t.Name] || d.main[t.Name] {
			return false
		}
		if first, ok := d.since[t.Name]; ok {
			age = max(age, now-first)
		}
	}
	if slices.ContainsFunc(g, func(t Tier) bool { return d.own[t.Name] != "" }) {
		return true
	}
	if len(g) == 1 {
		return requests(g) >= singleRequests || age >= singleAnyway
	}
	return requests(g) >= severalRequests && age >= severalAfter || age >= severalAnyway
}

// name is the application of a group: as before or, if it is new, the tier with most requests of those that no other
// tier calls.
func (d *Division) name(g []Tier) string {
	called := make(map[string]bool)
	for c := range d.calls {
		called[c.To] = called[c.To] || c.From != c.To
	}
	for _, t := range g {
		if app, was := d.own[t.Name]; was {
			return app
		}
	}
	front := slices.MaxFunc(g, func(a, b Tier) int {
		if called[a.Name] != called[b.Name] {
			if called[a.Name] {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Requests, b.Requests)
	})
	return front.Name
}
