package judgement

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"sort"
	"strings"
	"testing"
	"time"
)

func TestReplay(t *testing.T) {
	path := os.Getenv("RECORDING")
	if path == "" {
		t.Skip()
	}
	f, _ := os.Open(path)
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 64<<20)
	tiers := map[string]*Tier{}
	type line struct {
		T    int64              `json:"t"`
		V    map[string]float64 `json:"v"`
		R    json.RawMessage    `json:"run"`
		M    []string `json:"metrics"`
		Stop json.RawMessage    `json:"stop"`
	}
	bills := map[string]map[int]map[string]float64{}
	var first int64
	var run string
	loads := map[int64][]string{}
	merged := map[int64]map[string]float64{}
	for sc.Scan() {
		var l line
		if json.Unmarshal(sc.Bytes(), &l) != nil {
			continue
		}
		if l.R != nil {
			run = string(l.R)
		}
		if l.M != nil { loads[l.T] = append(loads[l.T], l.M...) }
		if l.V == nil {
			continue
		}
		if merged[l.T] == nil {
			merged[l.T] = map[string]float64{}
		}
		for k, v := range l.V {
			merged[l.T][k] = v
		}
	}
	var times []int64
	for k := range merged {
		times = append(times, k)
	}
	sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
	t.Log(run)
	var last int64
	begun := map[string]int64{}
	for _, at := range times {
		for k := range merged[at] {
			if strings.HasPrefix(k, "queue_length{") && begun[k] == 0 { begun[k] = at }
		}
	}
	for _, at := range times {
		v := merged[at]
		if first == 0 {
			first = at
		}
		if last != 0 && at != last+50 {
			for _, x := range tiers {
				x.Skip()
			}
		}
		last = at
		if (at-first)/50%20 == 19 {
			feedLoad(tiers, loads, at, (at-first)/50)
		}
		for k, q := range v {
			if !strings.HasPrefix(k, "queue_length{") {
				continue
			}
			name := strings.TrimSuffix(strings.TrimPrefix(k, "queue_length{"), "}")
			if tiers[name] == nil {
				tiers[name] = NewTier(50 * time.Millisecond)
				tiers[name].SetProcessors(1)
				if begun[k] > first+500 { rested(tiers[name]) }
				bills[name] = map[int]map[string]float64{}
			}
			w := Window{Index: (at - first) / 50, Queue: q, Completions: math.Round(v["throughput{"+name+"}"] / 20), GC: math.NaN()}
			if g, ok := v["gc_ratio{"+name+"}"]; ok {
				w.GC = g
			}
			for e, o := range v {
				if rest, ok := strings.CutPrefix(e, "edge_outstanding{"+name+">"); ok {
					to := strings.TrimSuffix(rest, "}")
					id := "{" + name + ">" + to + "}"
					c := Calls{To: to, Outstanding: o, Begun: v["edge_calls"+id] / 20, Peak: v["edge_outstanding_max"+id], Connections: v["edge_connections"+id], Used: v["edge_connections_used"+id]}
					c.Answered = math.Round(v["throughput{"+to+"}"] / 20)
					if _, ok := v["edge_calls"+id]; !ok {
						c.Begun = c.Answered
						c.Peak = math.Ceil(o)
					}
					w.Calls = append(w.Calls, c)
				}
			}
			_, _, j, ok := tiers[name].Add(w)
			if !ok {
				continue
			}
			b := int(j.Index / 200)
			m := bills[name][b]
			if m == nil {
				m = map[string]float64{}
				bills[name][b] = m
			}
			m["own"] += j.Own * .05
			m["done"] += j.Completions
			m["w_"+j.State.String()]++
			for _, c := range j.Charges {
				m["c_"+string(c.Cause)+">"+c.To] += c.Queue * .05
			}
			for _, c := range j.Edges {
				m["left_"+string(c.Cause)+">"+c.To] += c.Queue * .05
			}
		}
	}
	front := os.Getenv("FRONT")
	var names []string
	for n := range bills {
		names = append(names, n)
	}
	sort.Strings(names)
	for b := 0; b < 60; b++ {
		for _, n := range names {
			m := bills[n][b]
			if m == nil {
				continue
			}
			x := bills[front][b]["done"]
			if x == 0 {
				x = 1
			}
			s := fmt.Sprintf("%3ds %-8s own %.2f ms", b*10, n, m["own"]/x*1000)
			var ks []string
			for k := range m {
				ks = append(ks, k)
			}
			sort.Strings(ks)
			for _, k := range ks {
				if strings.HasPrefix(k, "c_") || strings.HasPrefix(k, "left_") {
					s += fmt.Sprintf("; %s %.2f", k, m[k]/x*1000)
				}
			}
			for _, k := range ks {
				if strings.HasPrefix(k, "w_") {
					s += fmt.Sprintf(" %s=%.0f", k[2:], m[k])
				}
			}
			t.Log(s)
		}
		if bills[front][b] != nil && b%3 == 2 {
			for _, n := range names {
				for _, d := range tiers[n].destinations {
					e := d.curve.Estimate()
					t.Logf("   %s>%s: R0 %.2f ms TPmax %.0f N* %.1f %s slow %.1f", n, d.to, e.Base*1000, e.MaxThroughput, e.SaturationPoint, e.Status, d.slowness())
				}
				e := tiers[n].Estimate()
				t.Logf("%s: R0 %.2f ms TPmax %.0f N* %.1f (%.1f..%.1f) %s", n, e.Base*1000, e.MaxThroughput, e.SaturationPoint, e.Low, e.High, e.Status)
			}
		}
	}
}

func feedLoad(tiers map[string]*Tier, loads map[int64][]string, at, index int64) {
	var best int64
	for t := range loads { if t <= at+5000 && t > best && t > at-8000 { best = t } }
	val := map[string]float64{}
	for t, lines := range loads { if t < best-1500 || t > best { continue }
		for _, line := range lines {
			for _, n := range []string{"used_ratio", "busy_ratio", "wanted_threads"} {
				if strings.HasPrefix(line, "nstar_tier_processors_"+n) {
					i := strings.Index(line, `tier="`); name := line[i+6:]; name = name[:strings.Index(name, `"`)]
					var x float64; fmt.Sscan(line[strings.LastIndex(line, " ")+1:], &x)
					val[name+n] = x
				}
			}
		}
	}
	sum := 0.0
	for k, x := range val { if strings.HasSuffix(k, "used_ratio") { sum += x } }
	for name, tier := range tiers {
		u, ok := val[name+"used_ratio"]
		if !ok { continue }
		b := val[name+"busy_ratio"]
		tier.SetLoad(Load{From: index-19, To: index+1, Cores: u, Used: u, Busy: b, Others: max(0, b-u), Waiting: val[name+"wanted_threads"]})
	}
}

func rested(t any) { if r, ok := t.(interface{ Rested() }); ok { r.Rested() } }
