// SPDX-License-Identifier: Apache-2.0

package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func ask(stream int, ms int) packet {
	return packet{at: time.Duration(ms) * time.Millisecond, stream: stream, toServer: true, begins: true}
}

func tell(stream int, ms int) packet {
	return packet{at: time.Duration(ms) * time.Millisecond, stream: stream, answers: true}
}

func answered(arrival, departure int) turn {
	return turn{time.Duration(arrival) * time.Millisecond, time.Duration(departure) * time.Millisecond, true}
}

func TestTurns(t *testing.T) {
	silent := ask(1, 5)
	silent.begins = false
	interim := tell(1, 5)
	interim.answers = false
	for name, c := range map[string]struct {
		packets []packet
		want    []turn
	}{
		"one":                     {[]packet{ask(1, 1), tell(1, 4)}, []turn{answered(1, 4)}},
		"request in two segments": {[]packet{ask(1, 1), ask(1, 2), tell(1, 4)}, []turn{answered(1, 4)}},
		"answer in two segments":  {[]packet{ask(1, 1), tell(1, 4), tell(1, 9)}, []turn{answered(1, 9)}},
		"keep-alive": {[]packet{ask(1, 1), tell(1, 4), ask(1, 6), tell(1, 7)},
			[]turn{answered(1, 4), answered(6, 7)}},
		"two connections": {[]packet{ask(1, 1), ask(2, 2), tell(1, 4), tell(2, 5)},
			[]turn{answered(1, 4), answered(2, 5)}},
		"greeting":                 {[]packet{tell(1, 0), ask(1, 1), tell(1, 4)}, []turn{answered(1, 4)}},
		"silent command":           {[]packet{ask(1, 1), tell(1, 4), silent}, []turn{answered(1, 4)}},
		"interim answer":           {[]packet{ask(1, 1), interim, tell(1, 8)}, []turn{answered(1, 8)}},
		"no answer":                {[]packet{ask(1, 1)}, []turn{{arrival: time.Millisecond}}},
		"out of order in the file": {[]packet{tell(1, 4), ask(1, 1)}, []turn{answered(1, 4)}},
	} {
		if diff := cmp.Diff(c.want, turns(c.packets), cmp.AllowUnexported(turn{})); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestCells(t *testing.T) {
	for name, c := range map[string]struct {
		turns []turn
		want  map[int64]cell
	}{
		"within a window": {[]turn{answered(10, 20)}, map[int64]cell{0: {1, 1, 0.2}, 1: {}, 2: {}}},
		"over an edge":    {[]turn{answered(40, 60)}, map[int64]cell{0: {1, 0, 0.2}, 1: {0, 1, 0.2}, 2: {}}},
		"over a window":   {[]turn{answered(40, 110)}, map[int64]cell{0: {1, 0, 0.2}, 1: {0, 0, 1}, 2: {0, 1, 0.2}}},
		"without answer":  {[]turn{{arrival: 125 * time.Millisecond}}, map[int64]cell{0: {}, 1: {}, 2: {1, 0, 0.5}}},
		"both":            {[]turn{answered(0, 50), answered(25, 50)}, map[int64]cell{0: {2, 0, 1.5}, 1: {0, 2, 0}, 2: {}}},
	} {
		got := cells(c.turns, width, 0, 3)
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(cell{}), cmpopts.EquateApprox(0, 1e-9)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestJudge(t *testing.T) {
	for name, c := range map[string]struct {
		how             protocol
		field           string
		begins, answers bool
	}{
		"mysql query":              {mysql, "3", true, true},
		"mysql quit":               {mysql, "1", false, true},
		"mysql close, then query":  {mysql, "25,3", true, true},
		"mysql answer":             {mysql, "", false, true},
		"ajp forward":              {ajp, "2", true, true},
		"ajp body":                 {ajp, "", false, true},
		"ajp call for a body":      {ajp, "6", false, false},
		"ajp pong":                 {ajp, "9", false, false},
		"ajp headers, body, end":   {ajp, "4,3,5", false, true},
		"http has nothing to tell": {http, "", true, true},
	} {
		var p packet
		c.how.judge(&p, []string{c.field})
		if p.begins != c.begins || p.answers != c.answers {
			t.Errorf("%s: begins %v, answers %v", name, p.begins, p.answers)
		}
	}
}

func TestParsePacket(t *testing.T) {
	got, err := parsePacket([]string{"1700000000.123456789", "7", "80"}, 80)
	want := packet{at: 1700000000123456789, stream: 7, toServer: true}
	if err != nil || got != want {
		t.Errorf("got %+v, %v", got, err)
	}
	for _, bad := range [][]string{{"x", "7", "80"}, {"1.0", "x", "80"}, {"1.x", "7", "80"}} {
		if _, err := parsePacket(bad, 80); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
