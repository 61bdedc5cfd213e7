// SPDX-License-Identifier: Apache-2.0

package causes

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Throttled is the name of the cause of waiting for processors that a CPU quota does not allow.
const Throttled = "throttled"

func init() {
	register(Throttled, "Time in the window for which a CPU quota kept the tier's control group from its processors, "+
		"in seconds per second: 2 is two processors.", openThrottled)
}

// throttled is the time that the quota of a tier's control group, or of a parent of it, takes: throttled_usec of
// cpu.stat (version 2) or throttled_time (version 1).
type throttled struct {
	meters[group, *throttle] // also of groups that may get a quota later
	hierarchies
	known map[window.Station]bool // the control group is known
}

// throttle is one control group. Its counter is read while the group has a quota.
type throttle struct {
	group
	stat  *reader       // nil while there is no quota
	asked time.Duration // when the quota was last looked at
	last  float64
	at    time.Duration // of the last reading; 0: none
	spans spans
}

func openThrottled(s *shared) (Collector, error) {
	h := findHierarchies(s.options.ProcRoot)
	if h.v1["cpu"] == "" && h.v2 == "" {
		return nil, errors.New("no control groups are mounted")
	}
	return &throttled{newMeters[group, *throttle](s), h, make(map[window.Station]bool)}, nil
}

func (c *throttled) Follow(tiers []Tier) {
	clear(c.known)
	c.follow(tiers, c.groups, func(g group) (*throttle, bool) { return &throttle{group: g}, true })
}

// groups are the control groups of a tier and their parents.
func (c *throttled) groups(t Tier) (out []group) {
	for _, pid := range t.some() {
		if g, ok := c.of(pid, "cpu"); ok {
			c.known[t.Station] = true
			out = append(out, g.up()...)
		}
	}
	return out
}

// quotaInterval is how soon a quota is noticed that a group gets while its tier runs.
const quotaInterval = time.Second

// look starts reading the group's counter when it has a quota, and stops when it has none.
func (t *throttle) look(now time.Duration) {
	if t.asked > 0 && now-t.asked < quotaInterval {
		return
	}
	t.asked = now
	switch limited := t.limited(); {
	case limited && t.stat == nil:
		if stat, err := openReader(filepath.Join(t.dir, "cpu.stat")); err == nil {
			t.stat, t.at = stat, 0
		}
	case !limited:
		t.close()
	}
}

func (t *throttle) close() {
	if t.stat != nil {
		t.stat.close()
		t.stat = nil
	}
}

// limited reports whether a control group has a quota.
func (g group) limited() bool {
	if g.first {
		text, err := os.ReadFile(filepath.Join(g.dir, "cpu.cfs_quota_us"))
		return err == nil && !strings.HasPrefix(string(text), "-1")
	}
	text, err := os.ReadFile(filepath.Join(g.dir, "cpu.max"))
	return err == nil && !strings.HasPrefix(string(text), "max")
}

// period is the period of a quota if nothing else is set. A processor is kept from a group for less than one period.
const period = 100 * time.Millisecond

// poll reads the group's counter. The kernel adds to it when the group may run again. So the increase lies before now,
// and if it is more than a period, on several processors at once.
func (t *throttle) poll(now time.Duration) (moved bool) {
	// not limited, or a group that several tiers share
	if t.look(now); t.stat == nil || t.at == now {
		return false
	}
	text, err := t.stat.read()
	if err != nil {
		return false // the group is gone; the next scan forgets it
	}
	v, ok := t.seconds(text)
	if !ok {
		return false
	}
	if t.at > 0 {
		grown := v - t.last
		moved = grown > 0
		t.spans.add(now-min(max(time.Duration(grown*1e9), now-t.at), period), now, grown)
	}
	t.last, t.at = v, now
	return moved
}

// seconds is the counter in the text of cpu.stat.
func (t *throttle) seconds(text string) (float64, bool) {
	if t.first {
		ns, ok := value(text, "throttled_time")
		return float64(ns) / 1e9, ok
	}
	us, ok := value(text, "throttled_usec")
	return float64(us) / 1e6, ok
}

func (c *throttled) Share(tier window.Station, w Window) float64 {
	if !c.known[tier] {
		return math.NaN()
	}
	most := 0.0
	for _, m := range c.tiers[tier] {
		most = max(most, m.spans.share(w.From, w.To))
	}
	return most
}
