// SPDX-License-Identifier: Apache-2.0

package dashboards

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/common/model"
)

func each(t *testing.T, check func(t *testing.T, d *Dashboard)) {
	t.Helper()
	for _, file := range []string{"bottlenecks.json", "capacity.json"} {
		d, err := Load(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(d.Title, func(t *testing.T) { check(t, d) })
	}
}

func TestSettings(t *testing.T) {
	each(t, func(t *testing.T, d *Dashboard) {
		if d.Editable {
			t.Error("editable: what somebody changes would be lost at the next start")
		}
		if len(d.Tags) == 0 || len(d.Description) < 20 {
			t.Error("no tags or no description")
		}
		if !strings.HasPrefix(d.UID, "nstar-") {
			t.Errorf("uid %q could be someone else's", d.UID)
		}
		if d.Tooltip != 1 {
			t.Error("no shared crosshair")
		}
		if want := opened[d.Title]; d.Time.From != want.from || d.Time.To != "now" || d.Refresh != want.refresh {
			t.Errorf("time %v, refresh %s, want %v", d.Time, d.Refresh, want)
		}
	})
}

// What each dashboard opens with: a bottleneck is a question of minutes, capacity one of hours.
var opened = map[string]struct{ from, refresh, variables string }{
	"Bottlenecks": {"now-5m", "5s", "datasource app tier instance"},
	"Capacity":    {"now-1h", "30s", "datasource app tier"},
}

// The labels that dashboard-linter wants for the data source and the instance.
var labels = map[string]string{"datasource": "Data source", "app": "Application", "tier": "Tier",
	"instance": "Instance"}

func TestVariables(t *testing.T) {
	each(t, func(t *testing.T, d *Dashboard) {
		var names []string
		for _, v := range d.Templating.List {
			names = append(names, v.Name)
			if v.Label != labels[v.Name] {
				t.Errorf("%s is labelled %q, want %q", v.Name, v.Label, labels[v.Name])
			}
			if v.Name == "app" && (v.Regex == "" || !strings.Contains(v.Definition, "sort_desc(")) {
				t.Errorf("app does not begin with the one that does most: %s", v.Definition)
			}
			if v.Type == "query" && v.Datasource != chosen {
				t.Errorf("%s asks %v", v.Name, v.Datasource)
			}
			if all := v.Name == "tier" || v.Name == "instance"; v.Multi != all || v.IncludeAll != all {
				t.Errorf("%s: multi %v, all %v", v.Name, v.Multi, v.IncludeAll)
			} else if all && v.AllValue != ".+" {
				t.Errorf("%s: all is %q; a list of all values would grow with the fleet", v.Name, v.AllValue)
			}
		}
		if got := strings.Join(names, " "); got != opened[d.Title].variables {
			t.Errorf("variables %s, want %s", got, opened[d.Title].variables)
		}
	})
}

var chosen = Datasource{Type: "prometheus", UID: "${datasource}"}

// TestPanels: every panel has a title, a description that helps, a unit, and queries to the chosen data source.
func TestPanels(t *testing.T) {
	each(t, func(t *testing.T, d *Dashboard) {
		for _, p := range d.Leaves() {
			t.Run(p.Title, func(t *testing.T) { checkPanel(t, p) })
		}
	})
}

func checkPanel(t *testing.T, p Panel) {
	if p.Title == "" {
		t.Error("no title")
	}
	if len(p.Description) < 40 || !strings.ContainsAny(p.Description, ".)") {
		t.Errorf("no description that helps: %q", p.Description)
	}
	if p.FieldConfig.Defaults.Unit == "" {
		t.Error("no unit")
	}
	if p.Datasource != chosen {
		t.Errorf("data source %v", p.Datasource)
	}
	if len(p.Targets) == 0 {
		t.Error("asks nothing")
	}
	refs := make(map[string]bool)
	for _, target := range p.Targets {
		if target.Datasource != chosen {
			t.Errorf("%s: data source %v", target.RefID, target.Datasource)
		}
		if target.Instant == target.Range {
			t.Errorf("%s is both instant and range, or neither", target.RefID)
		}
		if target.RefID == "" || refs[target.RefID] {
			t.Errorf("refId %q is empty or used twice", target.RefID)
		}
		refs[target.RefID] = true
	}
	if p.Type == "table" {
		for _, target := range p.Targets {
			if !target.Instant || target.Format != "table" {
				t.Errorf("%s: a table of %s", target.RefID, target.Format)
			}
		}
	}
}

// TestLinks follows the links of the descriptions to the files in docs/.
func TestLinks(t *testing.T) {
	const docs = "https://github.com/nstar-project/nstar/blob/main/docs/"
	each(t, func(t *testing.T, d *Dashboard) {
		found := 0
		for _, p := range d.Leaves() {
			for _, part := range strings.Split(p.Description, docs)[1:] {
				page, _, _ := strings.Cut(part, ")")
				if _, err := os.Stat(filepath.Join("..", "docs", page)); err != nil {
					t.Errorf("%s leads to docs/%s: %v", p.Title, page, err)
				}
				found++
			}
		}
		if found == 0 {
			t.Error("no description leads to a runbook")
		}
	})
}

func TestIDsAndPlaces(t *testing.T) {
	each(t, func(t *testing.T, d *Dashboard) {
		ids := make(map[int]string)
		taken := make(map[[2]int]string)
		place := func(p Panel) {
			if other, ok := ids[p.ID]; ok || p.ID == 0 {
				t.Errorf("%s and %s have the id %d", p.Title, other, p.ID)
			}
			ids[p.ID] = p.Title
			if p.Grid.W < 1 || p.Grid.H < 1 || p.Grid.X < 0 || p.Grid.X+p.Grid.W > 24 {
				t.Errorf("%s lies outside of the grid: %+v", p.Title, p.Grid)
			}
			for x := p.Grid.X; x < p.Grid.X+p.Grid.W; x++ {
				for y := p.Grid.Y; y < p.Grid.Y+p.Grid.H; y++ {
					if other := taken[[2]int{x, y}]; other != "" {
						t.Fatalf("%s lies on %s", p.Title, other)
					}
					taken[[2]int{x, y}] = p.Title
				}
			}
		}
		for _, p := range d.Panels {
			place(p)
			if p.Collapsed != (len(p.Panels) > 0) {
				t.Errorf("row %s: collapsed %v with %d panels inside", p.Title, p.Collapsed, len(p.Panels))
			}
			for _, inner := range p.Panels {
				place(inner)
			}
		}
	})
}

// TestPointsArePermitted tries every range up to 90 days: Prometheus refuses a query for more than 11,000 points.
func TestPointsArePermitted(t *testing.T) {
	each(t, func(t *testing.T, d *Dashboard) {
		for _, p := range d.Leaves() {
			for _, target := range p.Targets {
				for span := 10 * time.Second; span < 90*24*time.Hour; span += span / 50 {
					step, err := viewOf(span).Step(p, target)
					if err != nil {
						t.Fatal(err)
					}
					if points := int(span / step); points > maxPoints {
						t.Fatalf("%s/%s asks for %d points of %v", p.Title, target.RefID, points, span)
					}
				}
			}
		}
	})
}

// TestMainSequenceQueries holds what the panel knows its queries by; the names are an agreement with
// grafana-plugin/src/data.
func TestMainSequenceQueries(t *testing.T) {
	const limits = "saturation_point saturation_point_low saturation_point_high saturation_status max_throughput"
	want := map[string]string{
		"sequence": "own_queue queue throughput residence gc state " + limits +
			" own_curve_queue own_curve_throughput own_curve_windows " +
			"curve_queue curve_throughput curve_windows edges window_width",
		"states": "own_queue throughput gc state " + limits + " state_share edges window_width",
	}
	each(t, func(t *testing.T, d *Dashboard) {
		if d.Title != "Bottlenecks" {
			t.Skip("has no main sequences")
		}
		got := make(map[string]string)
		for _, p := range d.Leaves() {
			if p.Type != "nstar-mainsequence-panel" {
				continue
			}
			var refs []string
			for _, target := range p.Targets {
				refs = append(refs, target.RefID)
				if single := strings.Contains(target.Expr, "[1ms]"); single != (target.Interval == "50ms") {
					t.Errorf("%s/%s: windows one by one need a minimum step of 50ms, and nothing else does",
						p.Title, target.RefID)
				}
			}
			got[p.Options.View] = strings.Join(refs, " ")
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("queries\n%v, want\n%v", got, want)
		}
	})
}

// TestMinimumSteps: a range of one step must hold a sample. $__interval may be as short as the minimum step, which is
// the data source's unless the query brings its own.
func TestMinimumSteps(t *testing.T) {
	// How often there is a sample: windows by their width, recorded series by their group's interval.
	every := []struct {
		series *regexp.Regexp
		least  time.Duration
	}{
		{regexp.MustCompile(`nstar:(app_|tier_(max_throughput|saturation_point))`), 5 * time.Second},
		{regexp.MustCompile(`nstar:(tier_state|edge|cause)_`), 5 * time.Second},
		{regexp.MustCompile(`nstar:(app_(capacity|headroom)|tier_capacity|indicator)`), 15 * time.Second},
		{regexp.MustCompile(`nstar:(tier_(waiting|processor|domain|migrations|cache|disk_con)|core_|host_)`),
			15 * time.Second},
		{regexp.MustCompile(`nstar:app_gray_share`), 5 * time.Minute},
		{regexp.MustCompile(`nstar_window_(own_queue|queue|throughput|gc|residence|state)`), 50 * time.Millisecond},
	}
	each(t, func(t *testing.T, d *Dashboard) {
		checked := 0
		for _, p := range d.Leaves() {
			for _, target := range p.Targets {
				if !target.Range || strings.Contains(target.Expr, "$__rate_interval") {
					continue
				}
				checked++
				step, err := model.ParseDuration(target.Interval)
				if err != nil {
					t.Errorf("%s/%s has no minimum step of its own: %v", p.Title, target.RefID, err)
				}
				for _, sampled := range every {
					if sampled.series.MatchString(target.Expr) && time.Duration(step) < sampled.least {
						t.Errorf("%s/%s: minimum step %v, samples come every %v", p.Title, target.RefID,
							step, sampled.least)
					}
				}
			}
		}
		if checked == 0 {
			t.Error("no queries")
		}
	})
}
