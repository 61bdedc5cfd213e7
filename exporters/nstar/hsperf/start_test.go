// SPDX-License-Identifier: Apache-2.0

package hsperf

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"
	"time"
)

func TestStartOfTicks(t *testing.T) {
	const (
		ms    = time.Millisecond
		truth = 500 * time.Second // start of the ticks, monotonic
		epoch = 1_800_000_000 * time.Second
	)
	tests := []struct {
		name string
		tell func(*startOfTicks)
		want time.Duration // against the truth
	}{
		{"nothing known", func(*startOfTicks) {}, -truth},
		{"published", func(s *startOfTicks) { s.published(epoch, epoch+9*time.Second, truth+9*time.Second) }, ms / 2},
		{"bound only", func(s *startOfTicks) {
			s.happenedBefore(int64(9*time.Second), truth+9*time.Second+7*ms)
			s.happenedBefore(int64(10*time.Second), truth+10*time.Second+2*ms)
			s.happenedBefore(int64(11*time.Second), truth+11*time.Second+5*ms)
		}, 2 * ms},
		{"bound sharpens", func(s *startOfTicks) {
			s.published(epoch, epoch+9*time.Second, truth+9*time.Second)
			s.happenedBefore(int64(9*time.Second), truth+9*time.Second+ms/5)
		}, ms / 5},
		{"wall clock stepped back", func(s *startOfTicks) {
			s.published(epoch, epoch+8*time.Second, truth+9*time.Second)
			s.happenedBefore(int64(9*time.Second), truth+9*time.Second+4*ms)
		}, 4 * ms},
		{"wall clock stepped forward, not known yet", func(s *startOfTicks) {
			s.published(epoch, epoch+10*time.Second, truth+9*time.Second)
			s.happenedBefore(int64(9*time.Second), truth+9*time.Second+4*ms)
		}, -time.Second + ms/2},
		{"wall clock stepped forward", func(s *startOfTicks) {
			s.published(epoch, epoch+10*time.Second, truth+9*time.Second)
			s.happenedBefore(int64(9*time.Second), truth+9*time.Second+4*ms)
			s.happenedAfter(int64(9*time.Second), truth+9*time.Second-10*ms)
		}, 4 * ms},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := unknownStart()
			tt.tell(&s)
			if got := s.value() - truth; got != tt.want {
				t.Errorf("off by %s, want %s", got, tt.want)
			}
		})
	}
}

// Without the published start and the ticks, the start is found from pauses alone: the error falls to a few
// hundredths of the poll interval.
func TestStartFromPausesAlone(t *testing.T) {
	b := newBench(t, newFile(binary.LittleEndian).collector(0, "young", counters{}))
	random := rand.New(rand.NewPCG(1, 2))
	exit := int64(0)
	for i := int64(1); i <= 200; i++ {
		exit = 25*i - random.Int64N(20)
		b.poll(25*i, counters{i, 2 * i, exit - 2, exit})
	}
	if off := b.jvm.Start() - b.start; off < 0 || off > time.Millisecond {
		t.Errorf("off by %s after 200 pauses", off)
	}
}
