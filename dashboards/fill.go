// SPDX-License-Identifier: Apache-2.0

package dashboards

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"
)

// View is what a person looks at: the choices at the top and the time range.
type View struct {
	App, Tier, Instance string
	From, To            time.Time
	Scrape              time.Duration // how often counters are scraped, by the data source's settings
	Width               int           // panel width, in points
}

// maxPoints is how many points per series Prometheus answers; it refuses a query for more.
const maxPoints = 11000

// Step is the step at which Grafana asks for the target of a panel: the range divided by the points wanted, rounded to
// the nearest usual interval, at least the minimum step.
func (v View) Step(p Panel, t Target) (time.Duration, error) {
	least, err := v.least(t)
	if err != nil {
		return 0, err
	}
	points := p.MaxDataPoints
	if points == 0 {
		points = v.Width
	}
	step := v.To.Sub(v.From) / time.Duration(min(points, maxPoints))
	if step < least {
		return least, nil
	}
	return nearest(step), nil
}

// least is the minimum step of a query: its own, else how often the data source scrapes.
func (v View) least(t Target) (time.Duration, error) {
	if t.Interval == "" {
		return v.Scrape, nil
	}
	parsed, err := model.ParseDuration(t.Interval)
	if err != nil {
		return 0, fmt.Errorf("minimum step %q: %v", t.Interval, err)
	}
	return time.Duration(parsed), nil
}

var usual = []time.Duration{
	10 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond,
	100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond,
	time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second, 20 * time.Second,
	30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 20 * time.Minute,
	30 * time.Minute,
	time.Hour, 2 * time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// nearest rounds down as well as up, so that a query may get up to 1.75 times the points wanted.
func nearest(d time.Duration) time.Duration {
	for i, u := range usual[:len(usual)-1] {
		if d <= (u+usual[i+1])/2 {
			return u
		}
	}
	return usual[len(usual)-1]
}

var variable = regexp.MustCompile(`\$\{?(\w+)\}?`)

// Fill replaces the variables in an expression as Grafana does for a query with this step.
func (v View) Fill(expr string, step time.Duration, t Target) (string, error) {
	scrape, err := v.least(t)
	if err != nil {
		return "", err
	}
	values := map[string]string{
		"app": v.App, "tier": v.Tier, "instance": v.Instance,
		"__interval":      model.Duration(step).String(),
		"__interval_ms":   strconv.FormatInt(step.Milliseconds(), 10),
		"__rate_interval": model.Duration(max(step+scrape, 4*scrape)).String(),
		"__range":         model.Duration(v.To.Sub(v.From).Round(time.Second)).String(),
	}
	var unknown []string
	filled := variable.ReplaceAllStringFunc(expr, func(use string) string {
		name := strings.Trim(use, "${}")
		value, ok := values[name]
		if !ok {
			unknown = append(unknown, name)
		}
		return value
	})
	if len(unknown) > 0 {
		return "", fmt.Errorf("unknown variable %s in %q", strings.Join(unknown, ", "), expr)
	}
	return filled, nil
}
