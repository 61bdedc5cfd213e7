// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"
	"time"
)

func TestJudge(t *testing.T) {
	healthy := always("healthy")
	stops := always("single_bottleneck/db/stopped").or("single_bottleneck/db/unknown")
	burst := always("healthy").then(time.Minute, "healthy", "single_bottleneck/db/burst").then(2*time.Minute, "healthy")
	say := func(verdictName, tier, cause string) []verdict {
		return []verdict{{Verdict: verdictName, Tier: tier, Cause: cause}}
	}
	for _, test := range []struct {
		name   string
		expect expectation
		at     time.Duration
		said   []verdict
		want   grade
	}{
		{"healthy", healthy, time.Minute, say("healthy", "", ""), right},
		{"a name while all is well", healthy, time.Minute, say("single_bottleneck", "db", "demand"), falseAlarm},
		{"learning", healthy, time.Minute, say("learning", "", ""), learning},
		{"the right name", stops, time.Minute, say("single_bottleneck", "db", "stopped"), right},
		{"the right name early", stops, time.Second, say("single_bottleneck", "db", "stopped"), right},
		{"the right tier, cause unknown", stops, time.Minute, say("single_bottleneck", "db", "unknown"), either},
		{"the wrong cause", stops, time.Minute, say("single_bottleneck", "db", "demand"), falseName},
		{"the wrong tier", stops, time.Minute, say("single_bottleneck", "web", "stopped"), falseName},
		{"healthy while something is wrong", stops, time.Minute, say("healthy", "", ""), silent},
		{"nothing", stops, 90 * time.Second, nil, none},
		{"nothing yet", stops, time.Minute, nil, learning},
		{"not enough yet", stops, 30 * time.Second, say("not_enough_data", "", ""), learning},
		{"not enough", stops, 90 * time.Second, say("not_enough_data", "", ""), none},
		{"two verdicts", healthy, time.Minute, append(say("healthy", "", ""), say("learning", "", "")...), none},
		{"before the burst", burst, 59 * time.Second, say("single_bottleneck", "db", "burst"), falseAlarm},
		{"in the burst", burst, 61 * time.Second, say("single_bottleneck", "db", "burst"), right},
		{"after the burst", burst, 121 * time.Second, say("single_bottleneck", "db", "burst"), falseAlarm},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := test.expect.judge(test.at, test.said); got != test.want {
				t.Errorf("judged %s, want %s", got, test.want)
			}
		})
	}
}

// An exporter without a configuration has other names for some tiers.
func TestTruthInOtherNames(t *testing.T) {
	e := is("tomcat", "stopped").orUnknown("tomcat").then(time.Minute, "healthy", bottleneck("mariadb", "demand"))
	got := e.named(map[string]string{"tomcat": "java"})
	for _, tt := range []struct {
		at   time.Duration
		said verdict
		want grade
	}{
		{0, verdict{"single_bottleneck", "java", "stopped", 1}, right},
		{0, verdict{"single_bottleneck", "java", "unknown", 1}, either},
		{0, verdict{"single_bottleneck", "tomcat", "stopped", 1}, falseName},
		{time.Minute, verdict{Verdict: "healthy"}, right},
		{time.Minute, verdict{"single_bottleneck", "mariadb", "demand", 1}, right},
	} {
		if g := got.judge(tt.at, []verdict{tt.said}); g != tt.want {
			t.Errorf("%v after %v: %v, want %v", tt.said, tt.at, g, tt.want)
		}
	}
	if g := e.judge(0, []verdict{{"single_bottleneck", "tomcat", "stopped", 1}}); g != right {
		t.Errorf("the truth itself was changed: %v", g)
	}
}
