// SPDX-License-Identifier: Apache-2.0

package main

import (
	"slices"
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

// room is a client's packet without payload.
func room(stream, ms int, edge int64) packet {
	return packet{at: time.Duration(ms) * time.Millisecond, stream: stream, toServer: true, edge: edge}
}

// until is a packet of a direction in which this many bytes were sent, or have room.
func (p packet) until(edge int64) packet {
	p.edge = edge
	return p
}

func answered(arrival, departure int) turn {
	return turn{arrival: time.Duration(arrival) * time.Millisecond,
		departure: time.Duration(departure) * time.Millisecond,
		answered:  true}
}

// waiting is the turn while its client has no room for more from one time to another.
func (t turn) waiting(from, to int) turn {
	t.kept = append(t.kept, span{time.Duration(from) * time.Millisecond, time.Duration(to) * time.Millisecond})
	return t
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
		"the client has no room": {
			[]packet{ask(1, 1).until(100), tell(1, 4).until(90), room(1, 8, 190), tell(1, 9).until(180)},
			[]turn{answered(1, 9).waiting(4, 9)}},
		"the client has room, the server takes its time": {
			[]packet{ask(1, 1).until(100), tell(1, 4).until(50), room(1, 8, 190), tell(1, 9).until(100)},
			[]turn{answered(1, 9)}},
		"no room for what comes last": {
			[]packet{ask(1, 1).until(100), tell(1, 2).until(50), tell(1, 4).until(100), room(1, 8, 200),
				tell(1, 9).until(101)},
			[]turn{answered(1, 9).waiting(4, 9)}},
		"the first part of an answer is the server's": {
			[]packet{ask(1, 1).until(100), tell(1, 4).until(100), ask(1, 5).until(100), room(1, 6, 200),
				tell(1, 9).until(150)},
			[]turn{answered(1, 4), answered(5, 9)}},
	} {
		if diff := cmp.Diff(c.want, turns(c.packets), cmp.AllowUnexported(turn{}, span{})); diff != "" {
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
		"without room": {[]turn{answered(10, 110).waiting(20, 30).waiting(40, 60)},
			map[int64]cell{0: {1, 0, 0.4}, 1: {0, 0, 0.8}, 2: {0, 1, 0.2}}},
		"both": {[]turn{answered(0, 50), answered(25, 50)}, map[int64]cell{0: {2, 0, 1.5}, 1: {0, 2, 0}, 2: {}}},
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
	for _, c := range []struct {
		name    string
		fields  []string
		want    packet
		payload bool
	}{
		{"a request", []string{"1700000000.123456789", "7", "80", "", "1", "100", "1", "65536"},
			packet{at: 1700000000123456789, stream: 7, toServer: true, edge: 65537}, true},
		{"a part of an answer", []string{"1700000000.5", "7", "4000", "", "1001", "500", "101", "65536"},
			packet{at: 1700000000500000000, stream: 7, edge: 1501}, true},
		{"room", []string{"1700000000.5", "7", "80", "", "101", "0", "1501", "1000"},
			packet{at: 1700000000500000000, stream: 7, toServer: true, edge: 2501}, false},
		{"a new connection", []string{"1700000000.5", "7", "80", "", "0", "0", "", "65495"},
			packet{at: 1700000000500000000, stream: 7, toServer: true, edge: 65495}, false},
	} {
		got, payload, err := parsePacket(c.fields, 80)
		if err != nil || got != c.want || payload != c.payload {
			t.Errorf("%s: got %+v, payload %v, %v", c.name, got, payload, err)
		}
	}
	whole := []string{"1.0", "7", "80", "", "1", "100", "1", "65536"}
	for _, field := range []int{0, 1, 4, 5, 6, 7} {
		bad := slices.Clone(whole)
		bad[field] = "x"
		if _, _, err := parsePacket(bad, 80); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
	if _, _, err := parsePacket([]string{"1.x", "7", "80", "", "1", "100", "1", "65536"}, 80); err == nil {
		t.Error("a fraction that is no number: no error")
	}
}
