// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const (
	width = 50 * time.Millisecond
	epoch = 1800000000 * time.Second
)

// filled is a buffer with n batches of one tier, whose queue is the batch's number.
func filled(retain time.Duration, n int) *Buffer {
	b := NewBuffer(retain)
	fill(b, 0, n)
	return b
}

func fill(b *Buffer, from, to int) {
	for i := from; i < to; i++ {
		b.Add(Batch{End: end(i), Tiers: []Tier{{App: "shop", Tier: "web", Queue: float64(i)}}})
	}
}

func end(i int) time.Duration { return epoch + time.Duration(i)*width }

func ends(batches []Batch) (out []time.Duration) {
	for _, b := range batches {
		out = append(out, b.End)
	}
	return out
}

func TestBufferSince(t *testing.T) {
	for _, tt := range []struct {
		name  string
		after time.Duration
		want  []time.Duration
	}{
		{"everything", 0, []time.Duration{end(0), end(1), end(2), end(3)}},
		{"later than one of them", end(1), []time.Duration{end(2), end(3)}},
		{"between two", end(1) + 1, []time.Duration{end(2), end(3)}},
		{"the last", end(3), nil},
		{"the future", end(9), nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, ends(filled(time.Minute, 4).Since(tt.after))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestBufferEmpty(t *testing.T) {
	b := NewBuffer(time.Minute)
	if b.Last() != 0 || len(b.Since(0)) != 0 || len(b.Since(-View)) != 0 {
		t.Errorf("an empty buffer holds something: last %s", b.Last())
	}
}

func TestBufferRetention(t *testing.T) {
	b := filled(time.Second, 1000)
	got := b.Since(0)
	if len(got) != 21 || got[0].End != end(979) || b.Last() != end(999) {
		t.Errorf("%d batches from %s to %s, want 21 to %s", len(got), got[0].End, b.Last(), end(999))
	}
}

// The wall clock was set back: samples older than those that were handed out are not taken.
func TestBufferRefuses(t *testing.T) {
	b := filled(time.Minute, 10)
	fill(b, 5, 12)
	if b.Refused() != 5 {
		t.Errorf("%d batches refused, want 5", b.Refused())
	}
	got := ends(b.Since(0))
	for i, at := range got {
		if at != end(i) {
			t.Errorf("batch %d ends at %s, want %s", i, at, end(i))
		}
	}
	if len(got) != 12 {
		t.Errorf("%d batches, want 12", len(got))
	}
}

// The result of Since stays the same while batches are added and dropped.
func TestBufferConcurrent(t *testing.T) {
	b := filled(time.Second, 1)
	var readers sync.WaitGroup
	done := make(chan struct{})
	for range 4 {
		readers.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				batches := b.Since(b.Last() - time.Second/2)
				for i := 1; i < len(batches); i++ {
					if batches[i].End-batches[i-1].End != width ||
						batches[i].Tiers[0].Queue != batches[i-1].Tiers[0].Queue+1 {
						t.Errorf("batch %v follows %v", batches[i], batches[i-1])
						return
					}
				}
			}
		})
	}
	fill(b, 1, 5000)
	close(done)
	readers.Wait()
}

// A clock that was an hour ahead is set right: Prometheus has taken none of the old samples, but takes the new ones.
func TestBufferBeginsAnew(t *testing.T) {
	b := filled(time.Minute, 10)
	back := end(0) - time.Hour
	b.Add(Batch{End: back})
	b.Add(Batch{End: back + width})
	if diff := cmp.Diff([]time.Duration{back, back + width}, ends(b.Since(0))); diff != "" || b.Refused() != 0 {
		t.Errorf("%d refused; -want +got:\n%s", b.Refused(), diff)
	}
}
