// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// An answer says that the reading can't be lost any more, and only then.
func TestIngestAnswersWhatIsPublished(t *testing.T) {
	for _, test := range []struct {
		page string
		err  error
		want reading
		code int
	}{
		{page: "/?device=7&value=3.5", want: reading{7, 3.5}, code: http.StatusOK},
		{page: "/signed?device=8&value=-1", want: reading{8, -1}, code: http.StatusOK},
		{page: "/", code: http.StatusOK},
		{page: "/?device=7&value=3.5", err: errors.New("no broker"), want: reading{7, 3.5},
			code: http.StatusBadGateway},
	} {
		var got []reading
		s := ingest(func(_ context.Context, r reading) error { got = append(got, r); return test.err })
		w := httptest.NewRecorder()
		s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, test.page, nil))
		if w.Code != test.code || !slices.Equal(got, []reading{test.want}) {
			t.Errorf("%s: status %d, published %v", test.page, w.Code, got)
		}
	}
}

// came are records of two partitions.
func came() kgo.Fetches {
	partition := func(number int32, offsets ...int64) kgo.FetchPartition {
		p := kgo.FetchPartition{Partition: number}
		for _, o := range offsets {
			p.Records = append(p.Records, &kgo.Record{Partition: number, Offset: o})
		}
		return p
	}
	return kgo.Fetches{{Topics: []kgo.FetchTopic{{Topic: topic, Partitions: []kgo.FetchPartition{
		partition(0, 1, 2, 3), partition(1, 7, 8)}}}}}
}

// Each partition is written in its order, while the other one is written, too.
func TestWriteAll(t *testing.T) {
	var mu sync.Mutex
	written := make(map[int32][]int64)
	meet := make(chan struct{})
	err := writeAll(t.Context(), came(), func(ctx context.Context, r *kgo.Record) error {
		if r.Offset == 1 || r.Offset == 7 { // each waits for the other
			select {
			case meet <- struct{}{}:
			case <-meet:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		mu.Lock()
		defer mu.Unlock()
		written[r.Partition] = append(written[r.Partition], r.Offset)
		return nil
	})
	if err != nil || !slices.Equal(written[0], []int64{1, 2, 3}) || !slices.Equal(written[1], []int64{7, 8}) {
		t.Errorf("%v, %v", written, err)
	}
}

// What can't be written ends the service; the records come again with the next start.
func TestWriteAllFails(t *testing.T) {
	down := errors.New("no database")
	err := writeAll(t.Context(), came(), func(context.Context, *kgo.Record) error { return down })
	if !errors.Is(err, down) {
		t.Errorf("%v, want %v", err, down)
	}
}

// Ages are told once.
func TestDelay(t *testing.T) {
	var d delay
	d.add(10 * time.Millisecond)
	d.add(30 * time.Millisecond)
	for _, want := range []string{
		"2 written, 20 ms after they were taken, at most 30 ms",
		"0 written, 0 ms after they were taken, at most 0 ms",
	} {
		if got := d.told(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
