// SPDX-License-Identifier: Apache-2.0

package whatif

import "slices"

const (
	// worthwhile is the least reduction of the mean response time that is called a gain: a smaller one is
	// within the error that the aims of the prediction allow.
	worthwhile = 0.05
	// alike are reductions that differ by less; the cheaper change is better then.
	alike = 0.05
)

// Candidates tries the changes that an operator would think of first, and returns those that can be
// predicted, the cheapest kinds first: no freezes in the tier that is to blame, two and four times the places
// of each cap that was seen, and that tier twice as fast. If no tier is named, it is the tier in which
// requests spend most of their time.
func (r *Replay) Candidates(blamed string) []Prediction {
	if blamed == "" {
		blamed = r.longest()
	}
	changes := []Change{NoFreezes{Tier: blamed}}
	for _, factor := range []int{2, 4} {
		for _, l := range r.network.links {
			if l.places > 0 {
				changes = append(changes, Pool{r.network.stations[l.from].name, r.network.stations[l.to].name,
					factor * l.places})
			}
		}
	}
	changes = append(changes, Speed{blamed, 2})
	var all []Prediction
	for _, c := range changes {
		if p, err := r.Predict(c); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// Best is the best of the candidates that are apt, by the mean response time. It reports whether one of them gains
// something beyond doubt.
func (r *Replay) Best(blamed string, apt func(Change) bool) (Prediction, bool) {
	candidates := slices.DeleteFunc(r.Candidates(blamed), func(p Prediction) bool {
		return !apt(p.Changes[0]) || p.Overload || p.Response.Mean > -worthwhile || p.Response.High >= 0
	})
	if len(candidates) == 0 {
		return Prediction{}, false
	}
	most := slices.MinFunc(candidates, func(a, b Prediction) int {
		if a.Response.Mean < b.Response.Mean {
			return -1
		}
		return 1
	})
	for _, p := range candidates {
		if p.Response.Mean < most.Response.Mean+alike {
			return p, true
		}
	}
	return most, true
}

// longest is the tier in which requests spend most of their time.
func (r *Replay) longest() string {
	best := r.trace.Tiers[0]
	for _, u := range r.trace.Tiers {
		if mean(u.Own) > mean(best.Own) {
			best = u
		}
	}
	return best.Name
}
