// SPDX-License-Identifier: Apache-2.0

package stations

import (
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/probe"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// EdgeName identifies an edge; App is the application of the tier that calls.
type EdgeName struct{ App, From, To string }

// Edge is an edge's name. Known says that its destination is a tier or a named remote. Caller is the tier that calls.
type Edge struct {
	EdgeName
	Known  bool
	Caller window.Station
}

// edges are the calls from tiers to addresses. The kernel side numbers them. Here they get their names and are given
// up.
type edges struct {
	probe   Probe
	max     int
	changed uint32 // the version of the kernel side's list when it was last read
	list    []probe.Edge
	names   map[window.Station]Edge
	used    map[window.Station]time.Duration // monotonic: when an edge last had a connection
	held    map[window.Station]probe.Edge    // forgotten edges whose numbers are held back
}

func newEdges(max int, p Probe) *edges {
	return &edges{
		probe: p, max: max, names: make(map[window.Station]Edge),
		used: make(map[window.Station]time.Duration), held: make(map[window.Station]probe.Edge),
	}
}

// refresh learns which edges the kernel side has numbered since the last call, and reports whether there are any.
func (s *edges) refresh(now time.Duration) (bool, error) {
	changed := s.probe.EdgesChanged() // read before the list, so that a change meanwhile is seen next time
	if changed == s.changed {
		return false, nil
	}
	list, err := s.probe.Edges()
	if err != nil {
		return false, err
	}
	s.list, s.changed = list, changed
	for _, e := range list {
		if _, ok := s.used[e.Station]; !ok {
			s.used[e.Station] = now
		}
	}
	return true, nil
}

// name names all edges anew: if there are new edges, and if tiers were found or renamed. Every window needs the names,
// so they are not looked up there.
func (s *edges) name(of *tiers, in *directory) {
	s.names = make(map[window.Station]Edge, len(s.list))
	for _, e := range s.list {
		from, ok := of.name(e.From)
		if !ok {
			continue
		}
		to, known := in.name(from.App, e)
		s.names[e.Station] = Edge{EdgeName{App: from.App, From: from.Tier, To: to}, known, e.From}
	}
}

// Numbers of edges are given up like those of tiers (tiers.go): when there was no connection for long, sooner when the
// table is nearly full, and at once when the tier that calls is given up.
const (
	forgetEdgeAfter = 10 * time.Minute
	crowdedAfter    = 30 * time.Second
	// crowdedShare is the share of the table from which on it is nearly full.
	crowdedShare = 0.75
)

// patience is how long an edge may have no connection until its number is given up.
func (s *edges) patience() time.Duration {
	if float64(len(s.list)+len(s.held)) > crowdedShare*float64(s.max) {
		return crowdedAfter
	}
	return forgetEdgeAfter
}

// forget holds back the numbers of some edges, and reports whether there were any. Edges that the kernel side does not
// give up are kept; failed is told the reason.
func (s *edges) forget(unwanted func(probe.Edge) bool, failed func(error)) bool {
	kept := s.list[:0:0]
	for _, e := range s.list {
		if !unwanted(e) {
			kept = append(kept, e)
			continue
		}
		if err := s.probe.ForgetEdge(e); err != nil {
			failed(err)
			kept = append(kept, e)
			continue
		}
		s.held[e.Station] = e
	}
	fewer := len(kept) < len(s.list)
	s.list = kept
	return fewer
}

// lost returns the names from before that no edge has any more.
func (s *edges) lost(before map[window.Station]Edge) (out []EdgeName) {
	present := make(map[EdgeName]bool, len(s.names))
	for _, e := range s.names {
		present[e.EdgeName] = true
	}
	for _, e := range before {
		if !present[e.EdgeName] {
			out = append(out, e.EdgeName)
		}
	}
	return out
}

// keep takes back an edge that was held back.
func (s *edges) keep(e probe.Edge, now time.Duration) {
	delete(s.held, e.Station)
	s.list = append(s.list, e)
	s.used[e.Station] = now
}

// free gives the number of an edge that was held back to the kernel side, for another edge.
func (s *edges) free(e probe.Edge) error {
	if err := s.probe.FreeEdge(e); err != nil {
		return err
	}
	delete(s.used, e.Station)
	delete(s.held, e.Station)
	return nil
}
