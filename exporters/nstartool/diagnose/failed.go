// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"
	"strings"
)

// Failed are connections that a tier could not open.
type Failed struct {
	From string `json:"from"`
	To   string `json:"to"`
	// Times is how often in the range.
	Times float64 `json:"times"`
	// Over says that it did not happen in the last half minute of the range.
	Over bool `json:"over,omitempty"`
}

// worthFailed is how often at least: one may meet a server that is just being started.
const worthFailed = 3

// failed reads which tiers could not open connections.
func (q *querier) failed(apps map[string]*Application) {
	still := map[[3]string]bool{}
	for _, s := range q.vector("sum by (app, from, to) (increase(" +
		q.selector("nstar_edge_failed_connections_total", "") + "[30s])) > 0") {
		still[[3]string{label(s.Metric, "app"), label(s.Metric, "from"), label(s.Metric, "to")}] = true
	}
	for _, s := range q.vector(fmt.Sprintf("sum by (app, from, to) (increase(%s)) >= %d",
		q.over("nstar_edge_failed_connections_total", ""), worthFailed)) {
		app, from, to := label(s.Metric, "app"), label(s.Metric, "from"), label(s.Metric, "to")
		if a := apps[app]; a != nil && !triedFirst(to) {
			a.Failed = append(a.Failed, Failed{from, to, float64(s.Value), !still[[3]string{app, from, to}]})
		}
	}
	for _, a := range apps {
		a.Failed = slices.DeleteFunc(a.Failed, func(f Failed) bool { return f.again(a.Failed) })
		slices.SortFunc(a.Failed, func(x, y Failed) int {
			return cmp.Or(cmp.Compare(y.Times, x.Times), cmp.Compare(x.From, y.From), cmp.Compare(x.To, y.To))
		})
	}
}

// again reports whether these are connections that are counted under the name of a tier, too: a server that is gone is
// known by its address, and by its name before and after.
func (f Failed) again(all []Failed) bool {
	const same = 0.8
	return isAddress(f.To) && slices.ContainsFunc(all, func(g Failed) bool {
		return g.From == f.From && !isAddress(g.To) && min(f.Times, g.Times) >= same*max(f.Times, g.Times)
	})
}

// isAddress reports whether a destination has no name.
func isAddress(to string) bool {
	_, err := netip.ParseAddrPort(to)
	return err == nil
}

// triedFirst reports whether an address is that of localhost in IPv6: if a server is known by the name
// localhost, many clients try this address before the one at which the server listens.
func triedFirst(address string) bool { return strings.HasPrefix(address, "[::1]:") }

// refused says which tiers could not open connections, a sentence each, and which others have no room for more.
func (d diagnosis) refused() (notes []string) {
	said := map[string]bool{d.finding.Tier: true} // its sentence already names its accept queue
	for _, f := range d.Failed {
		why, lately := "nothing listens there, or no answer comes", ""
		if f.Over {
			why, lately = "nothing listened there, or no answer came", ", but not in the last half minute"
		}
		if !f.Over && d.getThrough(f) {
			why = "the connections were refused, or given up before they were open; others get through now"
		}
		if d.overflows(f.To) {
			why = "its accept queue is full"
			if !said[f.To] {
				why += inBrackets([]string{d.unaccepted(f.To)})
			}
			said[f.To] = true
		}
		notes = append(notes, fmt.Sprintf("%s could not connect to %s (%.0f times%s): %s.", f.From, f.To, f.Times,
			lately, why))
	}
	for _, a := range d.Accepts {
		if d.overflows(a.Tier) && !said[a.Tier] {
			notes = append(notes, fmt.Sprintf("All workers of %s are taken%s.", a.Tier,
				inBrackets([]string{d.unaccepted(a.Tier)})))
		}
	}
	return notes
}

// overflows reports whether connections to a tier were refused because its accept queue was full: most of the queue
// was taken on average, or is now.
func (d diagnosis) overflows(tier string) bool {
	return slices.ContainsFunc(d.Accepts, func(a Accept) bool {
		return a.Tier == tier && a.Refused >= worthFailed && max(a.Waiting, a.Now) >= a.Limit/2
	})
}

// getThrough reports whether other calls of the same tier were under way there in the last seconds.
func (d diagnosis) getThrough(f Failed) bool {
	return slices.ContainsFunc(d.Edges, func(e Edge) bool { return e.From == f.From && e.To == f.To && e.Peak > 0 })
}

// cureFailed is what to do if a tier can't reach another one, whatever else is seen of that one; empty if all can. An
// empty name means any tier.
func (d diagnosis) cureFailed(tier string) string {
	return d.cureOne(func(f Failed) bool { return !f.Over && (tier == "" || f.From == tier) })
}

// gone says that the bottleneck is gone, how that is known, and what users feel: no time passes in it, because its
// callers answer with errors instead, or they wait and keep what other requests need. It is empty if the bottleneck is
// there, as it is if time passes in it and its processes have not ended.
func (d diagnosis) gone() string {
	tier, ended := d.finding.Tier, d.hasEnded(d.finding.Tier)
	costly := d.toBlame(tier) >= causeShare*d.total()
	sign := "all of its processes have ended"
	if at := slices.IndexFunc(d.Failed, func(f Failed) bool { return f.To == tier }); at >= 0 && !costly {
		sign = d.Failed[at].From + " can't connect to it"
	} else if !ended {
		return ""
	}
	felt := "requests that need it keep what others wait for"
	if len(d.Errors) > 0 && d.Errors[0].Share >= manyErrors {
		felt = fmt.Sprintf("users get errors (%s of the answers of %s)", percent(d.Errors[0].Share), d.Errors[0].Tier)
	}
	before := ""
	if costly && d.total() > 0 {
		before = fmt.Sprintf(" Before that, requests waited for it: %s.", d.part())
	}
	return fmt.Sprintf("%s is gone: %s, and %s.%s", tier, sign, felt, before)
}

// manyErrors is the share of a tier's answers from which on errors are what users feel.
const manyErrors = 0.05

// noAnswerAt reports whether connections to an address or a tier could not be opened.
func (d diagnosis) noAnswerAt(tier string) bool {
	return slices.ContainsFunc(d.Failed, func(f Failed) bool { return f.To == tier })
}

// cureGone is what to do about an address or a tier to which connections could not be opened; empty if they could.
func (d diagnosis) cureGone(tier string) string {
	return d.cureOne(func(f Failed) bool { return f.To == tier })
}

// cureBack is what to do about a tier that could not be reached, and can be reached again.
func cureBack(tier string) string {
	return fmt.Sprintf("Connections to %s can be opened again. Find out why that was not so: %s.", tier, lookWhyEnded)
}

// cureOne is what to do about the first failed connection that is meant; empty if there is none.
func (d diagnosis) cureOne(meant func(Failed) bool) string {
	for _, f := range d.Failed {
		if meant(f) {
			if d.overflows(f.To) {
				return fmt.Sprintf("Give %s more workers or threads if its processors have time, or else more "+
					"processors or less work: its accept queue is full. A longer queue (backlog) would only make "+
					"connections wait longer.", f.To)
			}
			if d.getThrough(f) {
				continue // it runs, and can be reached
			}
			server := f.To
			if isAddress(server) {
				server = "the server at " + server
			}
			return fmt.Sprintf("Check whether %s runs, and whether %s can reach it (its log, its unit or container, a "+
				"firewall): the connections to it can't be opened.", server, f.From)
		}
	}
	return ""
}
