// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/nstar-project/nstar/exporters/nstar/answer"
)

func handler(b *Buffer) *Handler {
	return NewHandler(b, answer.NewLimiter(), slog.New(slog.DiscardHandler))
}

// get asks for a path and gives the queue lengths of shop/web, which number the batches.
func get(t *testing.T, h http.Handler, path string) []int {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
	return numbers(t, parseText(t, w.Body))
}

func parseText(t *testing.T, r io.Reader) map[string]*dto.MetricFamily {
	t.Helper()
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(r)
	if err != nil {
		t.Fatal(err)
	}
	return families
}

// numbers also checks that each sample has its own time, in ascending order.
func numbers(t *testing.T, families map[string]*dto.MetricFamily) (out []int) {
	t.Helper()
	for _, m := range families["nstar_window_queue_length"].GetMetric() {
		n := int(m.GetGauge().GetValue())
		if at := time.Duration(m.GetTimestampMs()) * time.Millisecond; at != end(n) {
			t.Errorf("window %d is stamped %s, want %s", n, at, end(n))
		}
		if len(out) > 0 && n <= out[len(out)-1] {
			t.Errorf("%d follows %d", n, out[len(out)-1])
		}
		out = append(out, n)
	}
	return out
}

func expect(t *testing.T, got []int, from, to int) {
	t.Helper()
	want := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		want = append(want, i)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("windows %v, want %v", got, want)
	}
}

func TestConsumersGetEveryWindowOnce(t *testing.T) {
	b := filled(time.Minute, 10)
	h := handler(b)
	expect(t, get(t, h, "/windows?consumer=a"), 0, 10)
	expect(t, get(t, h, "/windows?consumer=a"), 0, 0)
	fill(b, 10, 15)
	expect(t, get(t, h, "/windows?consumer=a"), 10, 15)
	expect(t, get(t, h, "/windows?consumer=b"), 0, 15)
	fill(b, 15, 500) // longer than a view, shorter than the retention
	expect(t, get(t, h, "/windows?consumer=a"), 15, 500)
	expect(t, get(t, h, "/windows?consumer=b"), 15, 500)
}

func TestViewTakesNothing(t *testing.T) {
	h := handler(filled(time.Minute, 300))
	for range 3 {
		expect(t, get(t, h, "/windows"), 200, 300)
	}
	expect(t, get(t, h, "/windows?consumer=a"), 200, 300)
	expect(t, get(t, h, "/windows"), 200, 300)
}

func TestHeadTakesNothing(t *testing.T) {
	h := handler(filled(time.Minute, 10))
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodHead, "/windows?consumer=a", nil))
	expect(t, get(t, h, "/windows?consumer=a"), 0, 10)
}

func TestEmptyBuffer(t *testing.T) {
	b := NewBuffer(time.Minute)
	h := handler(b)
	expect(t, get(t, h, "/windows"), 0, 0)
	expect(t, get(t, h, "/windows?consumer=a"), 0, 0)
	fill(b, 0, 3)
	expect(t, get(t, h, "/windows?consumer=a"), 0, 3)
}

// A consumer goes on when the clock was set back and the buffer began again.
func TestConsumerAfterBeginningAnew(t *testing.T) {
	b := filled(time.Minute, 10)
	b.Add(Batch{End: end(0) + time.Hour})
	h := handler(b)
	get(t, h, "/windows?consumer=a")
	fill(b, 20, 25)
	expect(t, get(t, h, "/windows?consumer=a"), 20, 25)
}

// broken is a client whose connection fails after some bytes.
type broken struct {
	*httptest.ResponseRecorder
	left int
}

func (b *broken) Write(p []byte) (int, error) {
	if b.left -= len(p); b.left < 0 {
		return 0, errors.New("connection reset by peer")
	}
	return b.ResponseRecorder.Write(p)
}

// unflushed is a client that is lost when the last bytes are sent.
type unflushed struct{ http.ResponseWriter }

func (unflushed) FlushError() error { return errors.New("connection reset by peer") }

func TestCursorStaysUntilSuccess(t *testing.T) {
	request := httptest.NewRequest(http.MethodGet, "/windows?consumer=a", nil)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, tt := range []struct {
		name string
		w    http.ResponseWriter
		r    *http.Request
	}{
		{"write error", &broken{httptest.NewRecorder(), 100}, request},
		{"error at the end", unflushed{httptest.NewRecorder()}, request},
		{"client gone", httptest.NewRecorder(), request.WithContext(cancelled)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := handler(filled(time.Minute, 10))
			h.ServeHTTP(tt.w, tt.r)
			expect(t, get(t, h, "/windows?consumer=a"), 0, 10)
		})
	}
}

func TestConsumerNameTooLong(t *testing.T) {
	w := httptest.NewRecorder()
	handler(filled(time.Minute, 1)).ServeHTTP(w, httptest.NewRequest(http.MethodGet,
		"/windows?consumer="+strings.Repeat("x", 65), nil))
	if w.Code != http.StatusBadRequest {
		t.Errorf("status %d, want 400", w.Code)
	}
}

func TestGzip(t *testing.T) {
	h := handler(filled(time.Minute, 100))
	r := httptest.NewRequest(http.MethodGet, "/windows?consumer=a", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	body, err := gzip.NewReader(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	expect(t, numbers(t, parseText(t, body)), 0, 100)
	expect(t, get(t, h, "/windows?consumer=a"), 0, 0)
}
