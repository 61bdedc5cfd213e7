// SPDX-License-Identifier: Apache-2.0

package peers

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nstar-project/nstar/exporters/nstar/config"
	"github.com/nstar-project/nstar/exporters/nstar/discovery"
)

var equal = cmpopts.EquateComparable(netip.Addr{}, netip.AddrPort{}, discovery.Listener{})

func addrPort(s string) netip.AddrPort { return netip.MustParseAddrPort(s) }

func name(app, tier string) Name { return Name{discovery.TierName{App: app, Tier: tier}, config.Auto} }

// network answers for the exporters at the given addresses, and counts what each was asked.
type network struct {
	answers map[string]any // an Answer, or text
	asked   atomic.Int64
}

func (n *network) RoundTrip(r *http.Request) (*http.Response, error) {
	n.asked.Add(1)
	answer, ok := n.answers[r.URL.Host]
	if !ok || r.URL.Path != Path {
		return nil, io.ErrUnexpectedEOF
	}
	w := httptest.NewRecorder()
	switch a := answer.(type) {
	case Answer:
		Handler(func() Answer { return a }).ServeHTTP(w, r)
	case int:
		w.WriteHeader(a)
	case string:
		_, _ = io.WriteString(w, a)
	}
	return w.Result(), nil
}

func newPeers(n *network) *Peers {
	return New(Options{Client: &http.Client{Transport: n}, Scheme: "http", Port: 9965, Boot: "here",
		Log: slog.New(slog.DiscardHandler)})
}

// ask asks, and waits for the answers.
func (p *Peers) askNow(t *testing.T, w Wanted, now time.Duration) {
	t.Helper()
	p.Ask(w, now)
	for range 1000 {
		p.mu.Lock()
		asking := false
		for _, k := range p.known {
			asking = asking || k.asking
		}
		p.mu.Unlock()
		if !asking {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatal("still asking")
}

// answerOf is an exporter's with one tier.
func answerOf(boot, app, tier string, listens string, reached ...string) Answer {
	t := Tier{App: app, Name: tier, Protocol: config.Auto, Listeners: []Listener{{1, addrPort(listens)}}}
	for _, r := range reached {
		t.Reached = append(t.Reached, addrPort(r))
	}
	return Answer{Boot: boot, Tiers: []Tier{t}}
}

// An exporter of another host names what is reached at its own address, one of this host what listens here.
func TestNames(t *testing.T) {
	n := &network{answers: map[string]any{
		"10.0.0.5:9965":  answerOf("there", "shop", "db", "0.0.0.0:3306", "10.0.0.5:3306", "10.0.0.9:3306"),
		"127.0.0.1:9966": answerOf("here", "shop", "cache", "127.0.0.1:6379", "10.0.0.1:6379"),
		"127.0.0.1:9967": answerOf("elsewhere", "shop", "box", "127.0.0.1:6380"),
	}}
	p := newPeers(n)
	p.askNow(t, Wanted{
		Here: true, Exporters: []netip.AddrPort{addrPort("127.0.0.1:9966"), addrPort("127.0.0.1:9967")},
		There: []netip.Addr{netip.MustParseAddr("10.0.0.5"), netip.MustParseAddr("8.8.8.8")},
	}, time.Second)
	want := Names{
		Here: map[discovery.Listener][]Name{{NetNS: 1, Addr: netip.MustParseAddr("127.0.0.1"), Port: 6379}: {
			name("shop", "cache")}},
		There: map[netip.AddrPort][]Name{addrPort("10.0.0.5:3306"): {name("shop", "db")}},
	}
	if !p.Fresh() {
		t.Error("no fresh answer")
	}
	if diff := cmp.Diff(want, p.Names(), equal); diff != "" {
		t.Error(diff)
	}
	if p.Fresh() || n.asked.Load() != 3 {
		t.Errorf("fresh %v, asked %d times: strangers on the Internet are not asked", p.Fresh(), n.asked.Load())
	}
	if answered, _ := p.Count(); answered != 3 {
		t.Errorf("%d answered", answered)
	}
}

// Nobody is asked if all destinations here have names.
func TestNobodyIsAskedInVain(t *testing.T) {
	n := &network{}
	p := newPeers(n)
	p.askNow(t, Wanted{Exporters: []netip.AddrPort{addrPort("127.0.0.1:9966")}}, time.Second)
	if n.asked.Load() > 0 {
		t.Errorf("asked %d times", n.asked.Load())
	}
}

// An exporter that is not there is asked less and less often. Names stay valid while their exporter is away.
func TestPatience(t *testing.T) {
	n := &network{answers: map[string]any{}}
	p := newPeers(n)
	wanted := Wanted{There: []netip.Addr{netip.MustParseAddr("10.0.0.5")}}
	at := func(seconds int) { p.askNow(t, wanted, time.Duration(seconds)*time.Second) }
	for i := range 3600 / 5 {
		at(5 * i)
	}
	if asked := n.asked.Load(); asked < 10 || asked > 14 {
		t.Errorf("asked %d times in an hour", asked)
	}
	n.answers["10.0.0.5:9965"] = answerOf("there", "shop", "db", "0.0.0.0:3306", "10.0.0.5:3306")
	at(4300)
	before := n.asked.Load()
	for i := range 12 {
		at(4305 + 5*i)
	}
	if asked := n.asked.Load() - before; asked != 6 {
		t.Errorf("asked %d times in a minute while a destination has no name", asked)
	}
	delete(n.answers, "10.0.0.5:9965")
	wanted = Wanted{}
	at(4500)
	if len(p.Names().There) != 1 {
		t.Error("a name is lost with its exporter")
	}
	at(4500 + 2000)
	if answered, _ := p.Count(); answered != 0 || len(p.Names().There) != 0 {
		t.Error("a name stays for good")
	}
}

// Answers that can't be used change nothing.
func TestBadAnswers(t *testing.T) {
	hostile := answerOf("there", "a\xff", strings.Repeat("x", 4096), "0.0.0.0:1", "10.0.0.9:1")
	long, _ := json.Marshal(strings.Repeat("x", answerLimit))
	for what, answer := range map[string]any{
		"an older exporter": http.StatusNotFound, "a password": http.StatusUnauthorized, "a page": "<html>",
		"an endless one": `{"boot":` + string(long), "another type": `{"tiers":[{"reached":["x"]}]}`, "nothing": "",
		"an empty name": Answer{Tiers: []Tier{{Reached: []netip.AddrPort{addrPort("10.0.0.5:1")}}}},
		"hostile names": hostile,
	} {
		p := newPeers(&network{answers: map[string]any{"10.0.0.5:9965": answer}})
		p.askNow(t, Wanted{There: []netip.Addr{netip.MustParseAddr("10.0.0.5")}}, time.Second)
		if got := p.Names(); len(got.Here)+len(got.There) > 0 {
			t.Errorf("%s: %v", what, got)
		}
	}
}

// No more exporters are asked than there is room for.
func TestMostPeers(t *testing.T) {
	p := newPeers(&network{})
	var wanted Wanted
	for i := range asksMost + 3 {
		wanted.There = append(wanted.There, netip.AddrFrom4([4]byte{10, 0, 1, byte(i)}))
	}
	p.askNow(t, wanted, time.Second)
	if _, left := p.Count(); left != 3 || len(p.known) != asksMost {
		t.Errorf("%d asked, %d left out", len(p.known), left)
	}
}

// A server that several exporters measure has the name that the caller's application gives it.
func TestOf(t *testing.T) {
	for _, test := range []struct {
		names []Name
		want  string
	}{
		{nil, ""},
		{[]Name{name("default", "mariadbd")}, "default/mariadbd"},
		{[]Name{name("default", "mariadbd"), name("shop", "db")}, "shop/db"},
		{[]Name{name("default", "mariadbd"), name("other", "db")}, ""},
	} {
		got, ok := Of("shop", test.names)
		if s := got.App + "/" + got.Tier; ok != (test.want != "") || ok && s != test.want {
			t.Errorf("%v: %s %v", test.names, s, ok)
		}
	}
}

// Whatever another exporter answers, names are fit for labels, and nothing is named but what is reached at its address.
func FuzzAnswer(f *testing.F) {
	good, _ := json.Marshal(answerOf("there", "shop", "db", "0.0.0.0:3306", "10.0.0.5:3306", "10.0.0.9:3306"))
	f.Add(string(good))
	f.Add(`{"tiers":[{"app":"\xff","tier":"a\u0000","reached":["10.0.0.5:1","[::ffff:10.0.0.5]:2"]}]}`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, body string) {
		p := newPeers(&network{answers: map[string]any{"10.0.0.5:9965": body}})
		p.askNow(t, Wanted{There: []netip.Addr{netip.MustParseAddr("10.0.0.5")}}, time.Second)
		names := p.Names()
		for at, of := range names.There {
			if at.Addr() != netip.MustParseAddr("10.0.0.5") || len(of) == 0 {
				t.Errorf("%s: %v", at, of)
			}
			for _, n := range of {
				fit := discovery.Visible(n.App) == n.App && discovery.Visible(n.Tier) == n.Tier
				if n.App == "" || n.Tier == "" || !fit {
					t.Errorf("%q %q", n.App, n.Tier)
				}
			}
		}
		if len(names.Here) > 0 {
			t.Errorf("%v on this host", names.Here)
		}
	})
}
