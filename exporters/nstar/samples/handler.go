// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"

	"github.com/nstar-project/nstar/exporters/nstar/answer"
)

// View is the time that a request without a consumer sees, and a consumer at its first request.
const View = 5 * time.Second

// maxSamples bounds an answer. Samples that a longer outage held back are handed out over several answers: with one
// answer a second, three times as fast as 50 tiers produce them.
const maxSamples = 100_000

// Handler serves the batches of a buffer. With ?consumer=NAME, the next request of that consumer acknowledges its last
// answer, so that every window is handed to it until it arrived, also after an outage no longer than the buffer's
// retention. Without a consumer the answer is a view of the last seconds that takes nothing away from anyone.
type Handler struct {
	buffer    *Buffer
	log       *slog.Logger
	limiter   *answer.Limiter
	consumers *consumers
}

// NewHandler makes the handler of /windows. Its answers count among those of the limiter.
func NewHandler(b *Buffer, l *answer.Limiter, log *slog.Logger) *Handler {
	return &Handler{buffer: b, log: log, limiter: l, consumers: newConsumers(b, log)}
}

// Refused counts the consumers that found no place.
func (h *Handler) Refused() uint64 { return h.consumers.count() }

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("consumer")
	if name == "" || r.Method != http.MethodGet {
		h.limiter.Serve(w, r, h.page(h.buffer.newest(h.buffer.Last()-View, maxSamples)))
		return
	}
	if len(name) > 64 {
		http.Error(w, "consumer: the name is longer than 64 bytes", http.StatusBadRequest)
		return
	}
	batches, done, err := h.consumers.next(name, r)
	if err != nil {
		w.Header().Set("Retry-After", "60")
		http.Error(w, err.Error(), http.StatusServiceUnavailable)
		return
	}
	done(h.limiter.Serve(w, r, h.page(batches)))
}

var errConsumers = errors.New("too many consumers; a consumer is forgotten if it asks for nothing as long as windows " +
	"are kept")

// page is the answer with some batches.
func (h *Handler) page(batches []Batch) http.Handler {
	gatherer := prometheus.GathererFunc(func() ([]*dto.MetricFamily, error) { return gather(batches), nil })
	return answer.Compressed(promhttp.HandlerFor(gatherer, promhttp.HandlerOpts{
		ErrorLog:           slog.NewLogLogger(h.log.Handler(), slog.LevelError),
		ErrorHandling:      promhttp.HTTPErrorOnError,
		EnableOpenMetrics:  true,
		DisableCompression: true,
	}))
}
