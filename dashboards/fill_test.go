// SPDX-License-Identifier: Apache-2.0

package dashboards

import (
	"strings"
	"testing"
	"time"
)

func viewOf(span time.Duration) View {
	to := time.Unix(1_700_000_000, 0)
	return View{App: "shop", Tier: ".+", Instance: ".+", From: to.Add(-span), To: to,
		Scrape: 5 * time.Second, Width: 1000}
}

// TestStep holds the steps that Grafana 12.4 was seen to ask for.
func TestStep(t *testing.T) {
	for _, tt := range []struct {
		span     time.Duration
		points   int
		interval string
		want     time.Duration
	}{
		{5 * time.Minute, 6285, "50ms", 50 * time.Millisecond},
		{5 * time.Minute, 0, "50ms", 200 * time.Millisecond}, // 300 ms is nearer to 200 than to 500
		{5 * time.Minute, 0, "1s", time.Second},
		{5 * time.Minute, 0, "", 5 * time.Second},
		{15 * time.Minute, 6285, "50ms", 100 * time.Millisecond},
		{time.Hour, 11000, "50ms", 200 * time.Millisecond}, // 18,000 points: refused
		{6 * time.Hour, 0, "", 20 * time.Second},
	} {
		got, err := viewOf(tt.span).Step(Panel{MaxDataPoints: tt.points}, Target{Interval: tt.interval})
		if err != nil || got != tt.want {
			t.Errorf("%v at %d points, minimum %q: %v %v, want %v", tt.span, tt.points, tt.interval, got, err, tt.want)
		}
	}
	if _, err := viewOf(time.Hour).Step(Panel{}, Target{Interval: "often"}); err == nil {
		t.Error("a minimum step that is no duration passed")
	}
}

func TestFill(t *testing.T) {
	const all = `rate(x{app="$app",tier=~"${tier}"}[$__rate_interval]) / count_over_time(y{instance=~"$instance"}[$__interval]) / $__interval_ms`
	got, err := viewOf(time.Hour).Fill(all, 10*time.Second, Target{})
	if err != nil {
		t.Fatal(err)
	}
	if want := `rate(x{app="shop",tier=~".+"}[20s]) / count_over_time(y{instance=~".+"}[10s]) / 10000`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	// The minimum step of the query stands for the scrape interval.
	if got, err = viewOf(time.Hour).Fill("$__rate_interval", 50*time.Millisecond,
		Target{Interval: "15s"}); err != nil || got != "1m" {
		t.Errorf("got %q %v, want 1m", got, err)
	}
	if _, err = viewOf(time.Hour).Fill("x{a=~\"$other\"}", time.Second,
		Target{}); err == nil || !strings.Contains(err.Error(), "other") {
		t.Errorf("a variable that the dashboards do not have: %v", err)
	}
}
