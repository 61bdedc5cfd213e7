// SPDX-License-Identifier: Apache-2.0

package main

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
	"time"
)

// verdict is what Nstar says about an application at one moment.
type verdict struct {
	Verdict string  `json:"verdict"`
	Tier    string  `json:"tier"`
	Cause   string  `json:"cause"`
	Share   float64 `json:"share"`
}

func (v verdict) String() string {
	if v.Tier == "" && v.Cause == "" {
		return v.Verdict
	}
	return strings.Join([]string{v.Verdict, v.Tier, v.Cause}, "/")
}

// grade is how a verdict compares with the truth.
type grade int

const (
	right grade = iota
	either
	learning
	falseAlarm // something was named while all was well
	falseName  // the wrong tier or cause was named
	silent     // healthy was said while something was wrong
	none       // no verdict, or several
	unclear    // the truth itself is not known: the machine took part
	grades
)

var gradeNames = [grades]string{"right", "either", "learning", "false alarm", "false name", "silent", "none", "unclear"}

func (g grade) String() string { return gradeNames[g] }

// span are the verdicts that are allowed from one time on, after the beginning of the load. Patterns are
// verdict/tier/cause, where * stands for anything.
type span struct {
	from  time.Duration
	right []string
	half  []string // right, but one of two is still open
}

// spanText is a span in a recording.
type spanText struct {
	From  float64  `json:"from_seconds,omitempty"`
	Right []string `json:"right"`
	Half  []string `json:"half,omitempty"`
}

// MarshalJSON writes a span into a recording.
func (s span) MarshalJSON() ([]byte, error) {
	return json.Marshal(spanText{s.from.Seconds(), s.right, s.half})
}

// UnmarshalJSON reads a span of a recording.
func (s *span) UnmarshalJSON(text []byte) error {
	var t spanText
	err := json.Unmarshal(text, &t)
	*s = span{time.Duration(t.From * float64(time.Second)), t.Right, t.Half}
	return err
}

// expectation is the truth of a scenario: spans in the order of time.
type expectation []span

func always(right ...string) expectation { return expectation{{right: right}} }

func (e expectation) or(half ...string) expectation {
	e[len(e)-1].half = half
	return e
}

func (e expectation) then(from time.Duration, right ...string) expectation {
	return append(e, span{from: from, right: right})
}

// named is the same truth with other names of some tiers.
func (e expectation) named(names map[string]string) expectation {
	renamed := func(patterns []string) []string {
		out := slices.Clone(patterns)
		for i, p := range out {
			parts := strings.Split(p, "/")
			if len(parts) < 3 || names[parts[1]] == "" {
				continue
			}
			parts[1] = names[parts[1]]
			out[i] = strings.Join(parts, "/")
		}
		return out
	}
	out := slices.Clone(e)
	for i, s := range out {
		out[i].right, out[i].half = renamed(s.right), renamed(s.half)
	}
	return out
}

func (e expectation) at(t time.Duration) span {
	s := e[0]
	for _, next := range e {
		if next.from <= t {
			s = next
		}
	}
	return s
}

// warmingUp is the time in which nothing can be known yet: learning is right until then.
const warmingUp = 60 * time.Second

// judge grades the verdict at time t after the beginning of the load. A right name is right at any time.
func (e expectation) judge(t time.Duration, said []verdict) grade {
	if len(said) == 1 && said[0].Verdict == "not_enough_data" { // the tool's word for nothing
		said = nil
	}
	if len(said) != 1 {
		if t <= warmingUp && len(said) == 0 {
			return learning
		}
		return none
	}
	s, v := e.at(t), said[0]
	switch {
	case matches(s.right, v):
		return right
	case matches(s.half, v):
		return either
	case v.Verdict == "learning":
		return learning
	case v.Verdict == "healthy":
		return silent
	case matches(s.right, verdict{Verdict: "healthy"}):
		return falseAlarm
	}
	return falseName
}

// allWell reports whether nothing is wrong at a time.
func (e expectation) allWell(t time.Duration) bool {
	r := e.at(t).right
	return len(r) == 1 && r[0] == "healthy"
}

func matches(patterns []string, v verdict) bool {
	for _, p := range patterns {
		if ok, _ := path.Match(p, v.String()); ok {
			return true
		}
	}
	return false
}

// strings are the truth in words.
func (e expectation) strings() []string {
	var out []string
	for _, s := range e {
		line := strings.Join(s.right, " or ")
		if len(e) > 1 {
			line = s.from.String() + ": " + line
		}
		if len(s.half) > 0 {
			line += " (half: " + strings.Join(s.half, " or ") + ")"
		}
		out = append(out, line)
	}
	return out
}
