// SPDX-License-Identifier: Apache-2.0

package peers

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
)

const (
	// askAgain is how long an answer is good while some destination there has no name; keepAsking while all have one.
	askAgain   = 10 * time.Second
	keepAsking = time.Minute
	// noAnswerFor is how long an exporter that did not answer is left alone at first. Each time it is twice as long.
	noAnswerFor  = 10 * time.Second
	noAnswerMost = 10 * time.Minute
	// forgetAfter is how long names stay valid if the exporter that gave them does not answer any more. They are
	// nearly always right still.
	forgetAfter = 30 * time.Minute
	// answerLimit bounds an answer in bytes, asksMost the exporters that are asked at addresses that tiers call,
	// givenMost those that the user gave, atOnce those of one moment.
	answerLimit = 1 << 20
	asksMost    = 64
	givenMost   = 1024
	atOnce      = 4
	timeout     = 2 * time.Second
)

// Options say how others are asked.
type Options struct {
	Client *http.Client
	Scheme string // http or https
	Port   uint16 // where exporters of other hosts listen
	Boot   string // identifies this kernel, see Answer
	// Given are exporters that may name whatever is reached through their hosts: HOST or HOST:PORT. A name stands for
	// all of its addresses.
	Given []string
	// LookUp finds the addresses of a name; that of an address is itself. Nil for the system's way.
	LookUp func(ctx context.Context, host string) ([]netip.Addr, error)
	Log    *slog.Logger
}

// Peers are the exporters that are asked, and their answers. It is safe for concurrent use. Nil asks nobody.
type Peers struct {
	options Options
	slots   chan struct{}
	fresh   atomic.Bool

	mu    sync.Mutex
	known map[netip.AddrPort]*peer
	left  uint64
	given given
}

// peer is what is known of one. Times are monotonic.
type peer struct {
	kind     kind
	asking   bool
	due      time.Duration // when to ask it again
	failures int           // in a row
	answered time.Duration
	answer   *Answer
}

// kind is why an exporter is asked, and so what it may name.
type kind int

const (
	called   kind = iota // at an address that a tier calls: what is reached at this address
	here                 // on this host: what listens on this host
	wasGiven             // by the user: whatever is reached through its host
)

// New makes an asker; nothing is asked yet.
func New(o Options) *Peers {
	if o.Client.Timeout == 0 {
		o.Client.Timeout = timeout
	}
	o.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	if o.LookUp == nil {
		o.LookUp = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	return &Peers{options: o, slots: make(chan struct{}, atOnce), known: make(map[netip.AddrPort]*peer)}
}

// Wanted are destinations without a name.
type Wanted struct {
	// Here says that some are on this host. Exporters are where others listen on it.
	Here      bool
	Exporters []netip.AddrPort
	// There are addresses of other hosts.
	There []netip.Addr
}

// Ask asks, in the background, those exporters that may know names that are wanted, and now and then those that gave
// some.
func (p *Peers) Ask(wanted Wanted, now time.Duration) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.lookUp(now)
	wants := make(map[netip.AddrPort]kind)
	if wanted.Here {
		for _, at := range wanted.Exporters {
			wants[at] = here
		}
	}
	for _, a := range wanted.There {
		// An address on the Internet is hardly a host of one's own, and it is rude to ask strangers.
		if a = a.Unmap(); a.IsPrivate() {
			wants[netip.AddrPortFrom(a, p.options.Port)] = called
		}
	}
	nameless := wanted.Here || len(wanted.There) > 0
	for _, at := range p.given.at {
		wants[at] = wasGiven
	}
	p.forget(wants, now)
	for _, at := range slices.SortedFunc(maps.Keys(wants), netip.AddrPort.Compare) {
		switch {
		case p.known[at] != nil && p.known[at].kind == wants[at]:
		case wants[at] != wasGiven && len(p.known)-len(p.given.at) >= asksMost:
			p.left++
		default:
			p.known[at] = &peer{kind: wants[at]}
		}
	}
	for at, known := range p.known {
		if _, ok := wants[at]; ok && nameless && known.failures == 0 {
			known.due = min(known.due, known.answered+askAgain)
		}
		if !known.asking && known.due <= now {
			known.asking = true
			go p.ask(at, known, now)
		}
	}
}

// forget drops exporters that gave no names, or none for long, once nothing is wanted from them.
func (p *Peers) forget(wants map[netip.AddrPort]kind, now time.Duration) {
	for at, known := range p.known {
		if known.answer != nil && now-known.answered > forgetAfter {
			known.answer = nil
		}
		if _, ok := wants[at]; !ok && known.answer == nil && !known.asking {
			delete(p.known, at)
		}
	}
}

// ask asks one exporter.
func (p *Peers) ask(at netip.AddrPort, known *peer, now time.Duration) {
	p.slots <- struct{}{}
	answer, err := p.get(at)
	<-p.slots
	p.mu.Lock()
	defer p.mu.Unlock()
	known.asking = false
	if err != nil {
		known.due = now + min(noAnswerFor<<min(known.failures, 10), noAnswerMost)
		known.failures++
		p.options.Log.Debug("No names of tiers from another exporter; calls there end at their addresses",
			"exporter", at, "err", err)
		return
	}
	if known.answer == nil {
		p.options.Log.Info("Another exporter names its tiers", "exporter", at, "tiers", len(answer.Tiers))
	}
	known.answer, known.answered, known.due, known.failures = answer, now, now+keepAsking, 0
	p.fresh.Store(true)
}

func (p *Peers) get(at netip.AddrPort) (*Answer, error) {
	url := fmt.Sprintf("%s://%s%s", p.options.Scheme, at, Path)
	response, err := p.options.Client.Get(url)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", url, response.Status)
	}
	var answer Answer
	body := &io.LimitedReader{R: response.Body, N: answerLimit}
	if err := json.NewDecoder(body).Decode(&answer); err != nil {
		if body.N <= 0 {
			return nil, fmt.Errorf("%s: more than %d bytes", url, answerLimit)
		}
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	return &answer, nil
}

// Fresh reports whether there were answers since Names was called last.
func (p *Peers) Fresh() bool { return p != nil && p.fresh.Load() }

// Names are those of all exporters that answered.
func (p *Peers) Names() Names {
	if p == nil {
		return Names{}
	}
	p.fresh.Store(false)
	p.mu.Lock()
	defer p.mu.Unlock()
	n := Names{Here: make(map[discovery.Listener][]Name), There: make(map[netip.AddrPort][]Name)}
	for _, at := range slices.SortedFunc(maps.Keys(p.known), netip.AddrPort.Compare) {
		switch known := p.known[at]; {
		case known.answer == nil:
		case known.kind == here && known.answer.Boot == p.options.Boot && p.options.Boot != "":
			n.here(*known.answer)
		case known.kind == called:
			n.there(*known.answer, func(a netip.Addr) bool { return a == at.Addr() })
		case known.kind == wasGiven:
			n.there(*known.answer, func(netip.Addr) bool { return true })
		}
	}
	return n
}

// Count is how many exporters have answered, and for how many there was no room, each time that they were wanted.
func (p *Peers) Count() (answered int, left uint64) {
	if p == nil {
		return 0, 0
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, known := range p.known {
		if known.answer != nil {
			answered++
		}
	}
	return answered, p.left
}
