// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"slices"

	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// calls sorts what the edges did in a window by the tier that calls and the destination: several addresses of one
// destination are added up.
func (m *Monitor) calls(edges []window.Window) map[window.Station][]judgement.Calls {
	out := make(map[window.Station][]judgement.Calls)
	for _, w := range edges {
		edge, ok := m.edgeNames[w.Station]
		if !ok {
			continue
		}
		c := judgement.Calls{
			To: edge.To, Outstanding: max(0, w.Queue(m.options.Window)),
			Begun: float64(w.Arrivals), Answered: float64(w.Completions),
			Peak: float64(w.PeakCalls), Connections: float64(w.Connections), Used: float64(w.ConnectionsUsed),
			Idle: float64(w.GapTime) / float64(m.options.Window),
		}
		of := out[edge.from]
		i := slices.IndexFunc(of, func(o judgement.Calls) bool { return o.To == c.To })
		if i < 0 {
			out[edge.from] = append(of, c)
			continue
		}
		of[i].Outstanding += c.Outstanding
		of[i].Begun += c.Begun
		of[i].Answered += c.Answered
		of[i].Peak += c.Peak
		of[i].Connections += c.Connections
		of[i].Used += c.Used
		of[i].Idle += c.Idle
	}
	return out
}
