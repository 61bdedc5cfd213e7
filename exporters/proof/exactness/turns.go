// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"slices"
	"time"
)

// packet is a captured TCP segment with payload.
type packet struct {
	at       time.Duration // since the epoch
	stream   int           // the connection
	toServer bool
	begins   bool // towards the server: may begin a request (false: a command that is never answered, a login, more of a body)
	answers  bool // from the server: belongs to an answer (false: a greeting, an interim message)
}

// turn is a request from its first byte on the wire to the last byte of its answer.
type turn struct {
	arrival, departure time.Duration
	answered           bool
}

// turns pairs requests and answers of every connection by the order of packets alone: what the exporter does in the
// kernel as packets pass, done here afterwards and with the whole connection in sight.
func turns(packets []packet) []turn {
	packets = slices.Clone(packets)
	slices.SortStableFunc(packets, func(a, b packet) int {
		return cmp.Or(cmp.Compare(a.stream, b.stream), cmp.Compare(a.at, b.at))
	})
	var out []turn
	stream, open := -1, false // open: out's last turn belongs to this stream
	for _, p := range packets {
		if p.stream != stream {
			stream, open = p.stream, false
		}
		switch {
		case p.toServer && p.begins && (!open || out[len(out)-1].answered):
			out = append(out, turn{arrival: p.at})
			open = true
		case !p.toServer && p.answers && open:
			out[len(out)-1].answered = true
			out[len(out)-1].departure = p.at
		}
	}
	return out
}

// cell is what one window holds.
type cell struct {
	arrivals, completions int64
	queue                 float64 // time average of the requests in the server
}

// cells sums the turns up in windows of the given width, numbered from the epoch. A turn without an answer stays to the
// end.
func cells(all []turn, width time.Duration, from, to int64) map[int64]cell {
	out := make(map[int64]cell)
	add := func(index int64, f func(*cell)) {
		if index < from || index >= to {
			return
		}
		c := out[index]
		f(&c)
		out[index] = c
	}
	for i := from; i < to; i++ {
		out[i] = cell{}
	}
	for _, t := range all {
		first, last := int64(t.arrival/width), to-1
		add(first, func(c *cell) { c.arrivals++ })
		end := time.Duration(to) * width
		if t.answered {
			end = t.departure
			last = int64(end / width)
			add(last, func(c *cell) { c.completions++ })
		}
		for i := max(first, from); i <= min(last, to-1); i++ {
			begin := max(t.arrival, time.Duration(i)*width)
			share := min(end, time.Duration(i+1)*width) - begin
			add(i, func(c *cell) { c.queue += float64(share) / float64(width) })
		}
	}
	return out
}
