// SPDX-License-Identifier: Apache-2.0

package judging

import (
	"slices"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Edge is what a tier's calls to one address did in a window.
type Edge struct {
	Caller discovery.TierName
	To     string
	Window window.Window
}

// Calls groups what the edges did in a window by the tier that calls and by destination. If a destination has several
// addresses, they are added up.
func Calls(edges []Edge, width time.Duration) map[discovery.TierName][]judgement.Calls {
	out := make(map[discovery.TierName][]judgement.Calls)
	for _, e := range edges {
		w := e.Window
		c := judgement.Calls{
			To: e.To, Itself: e.To == e.Caller.Tier, Outstanding: max(0, w.Queue(width)),
			Begun: float64(w.Arrivals), Answered: float64(w.Completions),
			Peak: float64(w.PeakCalls), Connections: float64(w.Connections), Used: float64(w.ConnectionsUsed),
			Idle: float64(w.GapTime) / float64(width), Unmeasured: float64(w.Opaque),
			Told: float64(w.Told),
		}
		of := out[e.Caller]
		i := slices.IndexFunc(of, func(o judgement.Calls) bool { return o.To == c.To })
		if i < 0 {
			out[e.Caller] = append(of, c)
			continue
		}
		of[i].Outstanding += c.Outstanding
		of[i].Begun += c.Begun
		of[i].Answered += c.Answered
		of[i].Peak += c.Peak
		of[i].Connections += c.Connections
		of[i].Used += c.Used
		of[i].Idle += c.Idle
		of[i].Unmeasured += c.Unmeasured
		of[i].Told += c.Told
	}
	return out
}
