// SPDX-License-Identifier: Apache-2.0

package judgement

// Split divides the time of a tier's places by what each place waits for, as the middle tier sees it (Wang, Teng,
// Zhong, Sweeney: "Using the Middle Tier to Understand Cross-Tier Delay in a Multi-tier Application"). The paper's
// places are threads that read from a client or from a server. An event-driven server has no such threads, so the
// places here are the clients' open connections. On a connection, either the client has no request under way, or the
// tier works on it, or a tier behind does. All numbers are time averages over a window, in places. Their sum is the
// largest of the connections, the requests and 1.
type Split struct {
	Clients float64 // open connections without a request, or with one that waits on purpose
	Self    float64 // requests that wait for no tier behind: the own queue
	Behind  []Share // requests that wait for a tier behind
}

// Share is how many requests wait for a tier behind.
type Share struct {
	To    string
	Queue float64
}

// onePlace: a tier to which no client is connected waits for its clients, too. This shows if clients open a connection
// for each request.
const onePlace = 1

// split splits a window. With parallel calls, or calls outside of requests, there are more calls than requests present.
// Then each destination gets its share of the requests, just as the own queue is clipped to 0.
func (t *Tier) split(p *pending) Split {
	w := Split{Clients: max(p.Connections, p.Queue, onePlace) - p.Queue + p.patient, Self: p.own}
	calls := 0.0
	for _, n := range p.outstanding {
		calls += n
	}
	for i, n := range p.outstanding {
		if n > 0 {
			w.Behind = append(w.Behind, Share{t.destinations[i].to, n / calls * (p.Queue - p.own - p.patient)})
		}
	}
	return w
}
