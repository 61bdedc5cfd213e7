// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/api"

	"github.com/nstar-project/nstar/exporters/nstartool/diagnose"
	"github.com/nstar-project/nstar/exporters/nstartool/whatif"
	"github.com/nstar-project/nstar/exporters/nstartool/whatif/recorded"
)

// longestReplay bounds what is read and replayed for a prediction: more windows hardly make it better.
const longestReplay = 5 * time.Minute

// addGains predicts for every application with a bottleneck what the best change would gain. If its windows can't be
// replayed, the diagnosis has no prediction: `nstartool whatif` says why.
func addGains(ctx context.Context, client api.Client, report *diagnose.Report, end time.Time,
	span time.Duration) {
	for _, a := range report.Apps {
		if a.Bottleneck == nil || a.Bottleneck.Consumer != nil || a.Bottleneck.Fails() { // no answer would come sooner
			continue
		}
		if best, ok := bestChange(ctx, client, a.App, *a.Bottleneck, end, min(span, longestReplay)); ok {
			report.SetGain(a.App, best)
		} else {
			report.WithoutGain(a.App)
		}
	}
}

func bestChange(ctx context.Context, client api.Client, app string, to diagnose.Bottleneck, end time.Time,
	span time.Duration) (diagnose.Gain, bool) {
	trace, err := recorded.Read(ctx, client, app, end, span)
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
		Change: said(best.Changes[0], to), ThroughputRatio: 1 + best.Throughput.Mean,
		ResponseTimeRatio: 1 + best.Response.Mean,
	}, true
}

// said is a change in words. More calls need more of the connections that are kept meanwhile.
func said(c whatif.Change, to diagnose.Bottleneck) string {
	if pool, ok := c.(whatif.Pool); ok && pool.To == to.CallsTo && to.Keeps != "" {
		return fmt.Sprintf("%s, for which %s needs as many connections to %s", c, to.Tier, to.Keeps)
	}
	return c.String()
}

// apt reports whether a change is one that the cause of a bottleneck asks for. Removing pauses is no advice unless
// pauses are to blame: if all places are taken, the requests that hold them may move in step, which looks like
// pauses. A faster tier is no advice if requests wait for a place: the requests that hold a place sleep, and what
// they wait for does not become faster. At a disk, the disk has to become faster, and more places would only make
// more requests wait there. Where it is known for which calls requests wait, it is more of these calls. Where it is not
// known what they wait for, no change is.
func apt(c whatif.Change, to diagnose.Bottleneck) bool {
	if to.Unseen() {
		return false
	}
	switch c := c.(type) {
	case whatif.NoFreezes:
		return to.Pauses()
	case whatif.Speed:
		return !to.Pauses() && !to.Places()
	case whatif.Pool:
		return !to.Pauses() && !to.AtDisk() && (to.CallsTo == "" || c.To == to.CallsTo)
	}
	return false // no other change is a candidate
}
