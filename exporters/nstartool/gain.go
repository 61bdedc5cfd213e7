// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/api"

	"github.com/nstar-project/nstar/exporters/nstartool/diagnose"
	"github.com/nstar-project/nstar/exporters/nstartool/whatif"
	"github.com/nstar-project/nstar/exporters/nstartool/whatif/recorded"
)

// longestReplay bounds what is read and replayed for a prediction: more windows hardly make it better.
const longestReplay = 5 * time.Minute

// addGains predicts for every application with a bottleneck what the best change would gain. Where its windows can't be
// replayed there is no prediction, and the diagnosis stands without one: `nstartool whatif` says why.
func addGains(ctx context.Context, client api.Client, report *diagnose.Report, span time.Duration) {
	for _, a := range report.Apps {
		if a.Bottleneck == nil || a.Bottleneck.Consumer != nil { // no answer would come sooner
			continue
		}
		if best, ok := bestChange(ctx, client, a.App, *a.Bottleneck, min(span, longestReplay)); ok {
			report.SetGain(a.App, best)
		} else {
			report.WithoutGain(a.App)
		}
	}
}

func bestChange(ctx context.Context, client api.Client, app string, to diagnose.Bottleneck, span time.Duration) (
	diagnose.Gain, bool) {
	trace, err := recorded.Read(ctx, client, app, span)
	if err != nil {
		return diagnose.Gain{}, false
	}
	replay, err := whatif.New(trace)
	if err != nil {
		return diagnose.Gain{}, false
	}
	best, ok := replay.Best(to.Tier, func(c whatif.Change) bool { return apt(c, to) })
	if !ok {
		return diagnose.Gain{}, false
	}
	return diagnose.Gain{
		Change: best.Changes[0].String(), ThroughputRatio: 1 + best.Throughput.Mean,
		ResponseTimeRatio: 1 + best.Response.Mean,
	}, true
}

// apt reports whether a change is one that the cause of a bottleneck asks for. What would be without pauses is no
// advice unless these are to blame: where all places are taken, those who have them may go in step, and look like it.
// And a faster tier is none where requests wait for a place: who has one sleeps, for something that does not become
// faster. At a disk it is the disk that is to become faster, and more places would only wait there.
func apt(c whatif.Change, to diagnose.Bottleneck) bool {
	switch c.(type) {
	case whatif.NoFreezes:
		return to.Pauses()
	case whatif.Speed:
		return !to.Pauses() && !to.Places()
	default:
		return !to.Pauses() && !to.AtDisk()
	}
}
