// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"slices"
	"time"
)

// packet is a captured TCP segment.
type packet struct {
	at       time.Duration // since the epoch
	stream   int           // the connection
	toServer bool
	// towards the server: may begin a request (false: a command that is never answered, a login, more of a body)
	begins  bool
	answers bool // from the server: belongs to an answer (false: a greeting, an interim message)
	// edge, in bytes from the server since the connection began: towards the server, up to where the client has
	// room now; from the server, where the segment ends. 0 if unknown.
	edge int64
}

// span is a stretch of time.
type span struct{ from, to time.Duration }

// turn is a request from its first byte on the wire to the last byte of its answer.
type turn struct {
	arrival, departure time.Duration
	answered           bool
	// kept are the times between two parts of the answer if the client had no room for the second one when the
	// first had left: the time in which a client keeps an answer waiting is no time in the queue.
	kept []span
}

// turns pairs requests and answers of every connection only by the order of packets. The exporter does the same in
// the kernel as packets pass; here it is done afterwards, with the whole connection known. Which side kept the other
// waiting is found from the client's advertised window here, and from the sockets there.
func turns(packets []packet) []turn {
	packets = slices.Clone(packets)
	slices.SortStableFunc(packets, func(a, b packet) int {
		return cmp.Or(cmp.Compare(a.stream, b.stream), cmp.Compare(a.at, b.at))
	})
	var out []turn
	stream, open := -1, false // open: out's last turn belongs to this stream
	var room, then int64      // up to where the client has room: now, and when the last part of an answer had left
	for _, p := range packets {
		if p.stream != stream {
			stream, open, room, then = p.stream, false, 0, 0
		}
		if p.toServer {
			room = max(room, p.edge)
		}
		switch {
		case p.toServer && p.begins && (!open || out[len(out)-1].answered):
			out = append(out, turn{arrival: p.at})
			open = true
		case !p.toServer && p.answers && open:
			last := &out[len(out)-1]
			if last.answered && p.edge > then {
				last.kept = append(last.kept, span{last.departure, p.at})
			}
			last.answered, last.departure, then = true, p.at, room
		}
	}
	return out
}

// cell is the content of one window.
type cell struct {
	arrivals, completions int64
	queue                 float64 // time average of the requests in the server
}

// cells sums the turns up in windows of the given width, numbered from the epoch. A turn without an answer stays to the
// end; while its client keeps it waiting it is in no queue.
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
			window := span{time.Duration(i) * width, time.Duration(i+1) * width}
			share := window.within(span{t.arrival, end})
			for _, k := range t.kept {
				share -= window.within(k)
			}
			add(i, func(c *cell) { c.queue += float64(share) / float64(width) })
		}
	}
	return out
}

// within is how long the other stretch overlaps this one.
func (s span) within(other span) time.Duration {
	return max(0, min(s.to, other.to)-max(s.from, other.from))
}
