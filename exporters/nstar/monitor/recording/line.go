// SPDX-License-Identifier: Apache-2.0

// Package recording writes down all that the judges of an exporter are told, so that other judges can be told the same
// again. So a wrong verdict can be examined on another machine, and again after each change of the judgement.
//
// A recording is text with a JSON object on each line. It contains names of tiers and figures, and nothing of the
// content of requests or answers.
package recording

import (
	"encoding/json"
	"math"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/judging"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Line is a line of a recording: a time, and what the judges were told then.
type Line struct {
	At      int64          `json:"at"` // ms
	Begin   *Begin         `json:"begin,omitempty"`
	Known   []Known        `json:"known,omitempty"` // from an earlier run
	Found   []judging.Fact `json:"found,omitempty"` // by a scan: all tiers that are there
	Gone    *Gone          `json:"gone,omitempty"`  // by the same scan
	Loads   []Load         `json:"loads,omitempty"`
	Answers []Answers      `json:"answers,omitempty"`
	Windows *Windows       `json:"windows,omitempty"` // those of one time
	Asked   bool           `json:"asked,omitempty"`   // the totals so far were asked for: a scrape of /metrics
}

// Begin is the first line.
type Begin struct {
	Version string  `json:"version"`
	Width   float64 `json:"width_seconds"`
}

// Known is what was learned of a tier.
type Known struct {
	App       string              `json:"app"`
	Tier      string              `json:"tier"`
	Knowledge judgement.Knowledge `json:"knowledge"`
}

// Gone lists tiers and edges that are not there any more.
type Gone struct {
	Tiers []discovery.TierName `json:"tiers,omitempty"`
	Edges []EdgeName           `json:"edges,omitempty"`
}

// EdgeName is an edge, named by its ends.
type EdgeName struct {
	App  string `json:"app"`
	From string `json:"from"`
	To   string `json:"to"`
}

// Load is the judgement.Load of a tier.
type Load struct {
	App     string  `json:"app"`
	Tier    string  `json:"tier"`
	From    int64   `json:"from"`
	To      int64   `json:"to"`
	Cores   Figure  `json:"cores"`
	Used    Figure  `json:"used"`
	Busy    Figure  `json:"busy"`
	Others  float64 `json:"others"`
	Disk    float64 `json:"disk"`
	Waiting float64 `json:"waiting"`
	Thread  Figure  `json:"thread"`
	Writes  Figure  `json:"writes"`
	// Processes is missing where it is not known, and in older recordings.
	Processes Figure `json:"processes,omitempty"`
}

// Answers is the judgement.Answers of a tier.
type Answers struct {
	App     string  `json:"app"`
	Tier    string  `json:"tier"`
	To      int64   `json:"to,omitempty"`
	Seconds float64 `json:"seconds"`
	Quick   float64 `json:"quick"`
	Long    float64 `json:"long"`
	Typical float64 `json:"typical,omitempty"`
	Alike   float64 `json:"alike,omitempty"`
	Center  float64 `json:"center,omitempty"`
	Chance  float64 `json:"chance,omitempty"`

	Effective float64 `json:"effective,omitempty"`

	Times judgement.Times `json:"times,omitzero"`
}

// Windows are the windows of one time.
type Windows struct {
	Index  int64  `json:"index"`
	Merged int    `json:"merged,omitempty"` // if more than 0, they stand for several windows, which are not judged
	Tiers  []Tier `json:"tiers,omitempty"`
	Edges  []Edge `json:"edges,omitempty"`
}

// Tier is a tier's window. Tiers that never had a request are left out.
type Tier struct {
	App  string `json:"app"`
	Tier string `json:"tier"`
	Idle uint64 `json:"idle,omitempty"` // windows before the first request; this window has the first one
	window.Window
	GC    Figure          `json:"gc"`
	Work  *judgement.Work `json:"work,omitempty"`
	Quota float64         `json:"quota,omitempty"`
	// Unasked says that the tier takes its work from others, and that nobody has asked it for anything yet.
	Unasked bool `json:"unasked,omitempty"`
}

// Edge is a window of an edge.
type Edge struct {
	EdgeName
	window.Window
}

// Figure is a number that may be unknown: NaN, which is null in JSON.
type Figure float64

// MarshalJSON writes the figure.
func (f Figure) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(f)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(f))
}

// UnmarshalJSON reads the figure.
func (f *Figure) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*f = Figure(math.NaN())
		return nil
	}
	return json.Unmarshal(text, (*float64)(f))
}
