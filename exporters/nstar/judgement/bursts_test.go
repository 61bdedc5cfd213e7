// SPDX-License-Identifier: Apache-2.0

package judgement

import (
	"encoding/csv"
	"os"
	"strconv"
	"testing"
)

// recordedTaken is the share of the time Tomcat waited for a processor in which others had it, as far as it is known of
// the recorded run: nightly and others had 0.95 s/s of 1.30. It was not recorded window by window.
const recordedTaken = 0.73

// Half a minute of a real Tomcat beside a batch job that runs in bursts (docs/experiments/neighbour.md) is judged
// again. What waits in a burst, and what floods the database after it, is the neighbour's fault.
func TestRecordedBursts(t *testing.T) {
	windows := recordedBursts(t)
	const rounds = 3 // the first two rounds teach what is usual
	tier := NewTier(testWidth)
	lag, all := int64(lag/testWidth), int64(len(windows))
	inBursts, theirs, calls, flood := 0.0, 0.0, 0.0, 0.0
	for i := range rounds*all + lag {
		if at := i - lag; at >= 0 {
			w := windows[at%all]
			tier.SetWork(Work{Index: at, Ran: w["ran"], Waited: w["waited"], Taken: recordedTaken * w["waited"]})
		}
		w := windows[i%all]
		_, _, j, ok := tier.Add(Window{Index: i, Queue: w["queue"], Completions: w["completions"], GC: w["gc"],
			Calls: []Calls{{To: "mariadb", Outstanding: w["outstanding"], Begun: w["calls"], Answered: w["calls"],
				Peak: w["outstanding"], Connections: 64}}})
		if !ok || j.Index < (rounds-1)*all {
			continue
		}
		if windows[j.Index%all]["burst"] > 0 {
			inBursts += j.Own
		}
		for _, c := range j.Charges {
			if c.Cause == NoisyNeighbour || c.Cause == Starved {
				theirs += c.Queue
			}
		}
		for _, e := range j.Edges {
			if e.Cause == Behind { // the database is slow in a flood
				continue
			}
			calls += e.Queue
			if e.Cause == NoisyNeighbour {
				flood += e.Queue
			}
		}
	}
	if theirs < 0.9*inBursts || theirs > inBursts {
		t.Errorf("%.0f of %.0f requests that waited in bursts are the neighbour's, want nearly all", theirs, inBursts)
	}
	if flood < 0.65*calls {
		t.Errorf("%.0f of %.0f calls in the floods are the neighbour's, want two thirds", flood, calls)
	}
	t.Logf("%.0f of %.0f requests in bursts, %.0f of %.0f calls in the floods", theirs, inBursts, flood, calls)
}

// recordedBursts are the recorded windows, by column.
func recordedBursts(t *testing.T) (out []map[string]float64) {
	f, err := os.Open("testdata/bursts.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		w := make(map[string]float64)
		for i, name := range rows[0] {
			if w[name], err = strconv.ParseFloat(row[i], 64); err != nil {
				t.Fatal(err)
			}
		}
		out = append(out, w)
	}
	return out
}
