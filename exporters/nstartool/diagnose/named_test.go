// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"slices"
	"testing"
	"time"
)

func TestSpans(t *testing.T) {
	quota, slow := single("db", causeThrottled), single("api", causeSlow)
	at := func(seconds int) time.Time { return end.Add(time.Duration(seconds) * time.Second) }
	said := func(from, to int, f Finding, share float64) []Evaluation {
		return evaluations(at(from), at(to), f, share)
	}
	span := func(from, to int, f Finding, share float64) Named {
		return Named{at(from), at(to), f.Tier, f.Cause, share, f.Verdict}
	}
	for name, test := range map[string]struct {
		history [][]Evaluation
		want    []Named
	}{
		"nothing": {[][]Evaluation{said(0, 60, well, 1), said(61, 70, Finding{Verdict: Learning}, 1)}, nil},
		"two, of which one comes again soon": {[][]Evaluation{said(0, 20, well, 1), said(21, 40, quota, 0.25),
			said(41, 60, slow, 0.5), said(61, 80, quota, 0.75)},
			[]Named{span(21, 80, quota, 0.5), span(41, 60, slow, 0.5)}},
		"one that comes again much later": {[][]Evaluation{said(0, 20, quota, 0.25), said(21, 200, well, 1),
			said(201, 220, quota, 0.75)}, []Named{span(0, 20, quota, 0.25), span(201, 220, quota, 0.75)}},
		"a glimpse": {[][]Evaluation{said(0, 20, well, 1), said(21, 28, slow, 0.5), said(29, 60, well, 1)}, nil},
	} {
		if got := spans(slices.Concat(test.history...), time.Second); !slices.Equal(got, test.want) {
			t.Errorf("%s: %+v, want %+v", name, got, test.want)
		}
	}
}
