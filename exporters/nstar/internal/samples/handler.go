// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"
)

// View is what a request without a consumer sees, and a consumer at its first request.
const View = 5 * time.Second

// maxConsumers bounds the cursors kept; the one unused for longest makes room.
const maxConsumers = 32

// Handler serves the batches of a buffer. With ?consumer=NAME, each successful answer moves that consumer's cursor, so that
// every window is handed to it once, also after an outage no longer than the buffer's retention. A cursor only moves when
// the whole answer was written and the client was still there. Without a consumer the answer is a view of the last
// seconds that takes nothing away from anyone.
type Handler struct {
	buffer *Buffer
	log    *slog.Logger

	mu      sync.Mutex
	cursors map[string]*cursor
}

type cursor struct {
	sync.Mutex // held while an answer is written: the same consumer waits for its turn
	after      time.Duration
	used       time.Time
}

// NewHandler makes the handler of /windows.
func NewHandler(b *Buffer, log *slog.Logger) *Handler {
	return &Handler{buffer: b, log: log, cursors: make(map[string]*cursor)}
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("consumer")
	if name == "" || r.Method != http.MethodGet {
		h.write(w, r, h.buffer.Since(h.buffer.Last()-View))
		return
	}
	if len(name) > 64 {
		http.Error(w, "consumer: the name is longer than 64 bytes", http.StatusBadRequest)
		return
	}
	c := h.cursor(name)
	c.Lock()
	defer c.Unlock()
	if last := h.buffer.Last(); c.after > last { // the buffer began anew
		c.after = last - View
	}
	batches := h.buffer.Since(c.after)
	if h.write(w, r, batches) && len(batches) > 0 {
		c.after = batches[len(batches)-1].End
	}
}

// write answers with the batches and says whether the client got them all.
func (h *Handler) write(w http.ResponseWriter, r *http.Request, batches []Batch) bool {
	gatherer := prometheus.GathererFunc(func() ([]*dto.MetricFamily, error) { return gather(batches), nil })
	out := &recorder{ResponseWriter: w, status: http.StatusOK}
	promhttp.HandlerFor(gatherer, promhttp.HandlerOpts{
		ErrorLog:          slog.NewLogLogger(h.log.Handler(), slog.LevelError),
		ErrorHandling:     promhttp.HTTPErrorOnError,
		EnableOpenMetrics: true,
	}).ServeHTTP(out, r)
	if err := http.NewResponseController(w).Flush(); err != nil {
		out.err = err
	}
	return out.err == nil && out.status == http.StatusOK && r.Context().Err() == nil
}

// cursor finds or makes a consumer's cursor.
func (h *Handler) cursor(name string) *cursor {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := h.cursors[name]
	if c == nil {
		if len(h.cursors) >= maxConsumers {
			h.forgetOldest()
		}
		c = &cursor{after: h.buffer.Last() - View}
		h.cursors[name] = c
		h.log.Info("New consumer of /windows", "consumer", name)
	}
	c.used = time.Now()
	return c
}

func (h *Handler) forgetOldest() {
	oldest := ""
	for name, c := range h.cursors {
		if oldest == "" || c.used.Before(h.cursors[oldest].used) {
			oldest = name
		}
	}
	h.log.Warn("Too many consumers of /windows: the one unused for longest is forgotten", "consumer", oldest)
	delete(h.cursors, oldest)
}

// recorder notes whether the answer went through.
type recorder struct {
	http.ResponseWriter
	status int
	err    error
}

func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	n, err := r.ResponseWriter.Write(b)
	if err != nil {
		r.err = err
	}
	return n, err
}
