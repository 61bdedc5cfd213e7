// SPDX-License-Identifier: Apache-2.0

package bed

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// Sample is one sample of a counter or gauge.
type Sample struct {
	Name   string
	Labels map[string]string
	Value  float64
	Time   time.Time // zero if the sample has none of its own
}

// Samples are the samples of a scrape, in order.
type Samples []Sample

// Client asks servers on this machine: one that hangs must not hang the proof.
var Client = &http.Client{Timeout: 10 * time.Second}

// Shows reports whether a server answers with a page.
func Shows(url string) error {
	answer, err := Client.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", url, answer.Status)
	}
	return nil
}

// Scrape reads a page in the text format: all of it, or only the samples of some names, which takes little of a long
// page.
func Scrape(url string, names ...string) (Samples, error) {
	answer, err := Client.Get(url)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(answer.Body, 200))
		return nil, fmt.Errorf("%s: %s: %s", url, answer.Status, text)
	}
	if len(names) == 0 {
		return Parse(answer.Body)
	}
	kept, err := onlySamples(answer.Body, names)
	if err != nil {
		return nil, err
	}
	return Parse(kept)
}

// onlySamples leaves out the lines that are no samples of these names. The kind of the samples is not known then.
func onlySamples(page io.Reader, names []string) (io.Reader, error) {
	var kept bytes.Buffer
	lines := bufio.NewScanner(page)
	for lines.Scan() {
		name := lines.Bytes()
		if end := bytes.IndexAny(name, "{ "); end >= 0 {
			name = name[:end]
		}
		if slices.Contains(names, string(name)) {
			kept.Write(append(lines.Bytes(), '\n'))
		}
	}
	return &kept, lines.Err()
}

// Parse reads the text format; of histograms and summaries the sums and counts.
func Parse(r io.Reader) (Samples, error) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(r)
	if err != nil {
		return nil, err
	}
	var out Samples
	for name, f := range families {
		for _, m := range f.Metric {
			s := Sample{Name: name, Labels: make(map[string]string, len(m.Label))}
			for _, l := range m.Label {
				s.Labels[l.GetName()] = l.GetValue()
			}
			if m.TimestampMs != nil {
				s.Time = time.UnixMilli(*m.TimestampMs)
			}
			switch f.GetType() {
			case dto.MetricType_COUNTER:
				s.Value = m.Counter.GetValue()
			case dto.MetricType_GAUGE:
				s.Value = m.Gauge.GetValue()
			case dto.MetricType_UNTYPED:
				s.Value = m.Untyped.GetValue()
			case dto.MetricType_HISTOGRAM:
				out = append(out, s.sums(m.Histogram.GetSampleSum(), m.Histogram.GetSampleCount())...)
				continue
			case dto.MetricType_SUMMARY:
				out = append(out, s.sums(m.Summary.GetSampleSum(), m.Summary.GetSampleCount())...)
				continue
			default:
				continue
			}
			out = append(out, s)
		}
	}
	return out, nil
}

// sums are the two samples of a distribution.
func (s Sample) sums(sum float64, count uint64) Samples {
	total, n := s, s
	total.Name, total.Value = s.Name+"_sum", sum
	n.Name, n.Value = s.Name+"_count", float64(count)
	return Samples{total, n}
}

// Select returns the samples of a name whose labels have the given values (label, value, label, value ...).
func (s Samples) Select(name string, labels ...string) Samples {
	var out Samples
next:
	for _, x := range s {
		if x.Name != name {
			continue
		}
		for i := 0; i+1 < len(labels); i += 2 {
			if x.Labels[labels[i]] != labels[i+1] {
				continue next
			}
		}
		out = append(out, x)
	}
	return out
}

// Value adds up what Select finds; false if that is nothing.
func (s Samples) Value(name string, labels ...string) (float64, bool) {
	found := s.Select(name, labels...)
	var sum float64
	for _, x := range found {
		sum += x.Value
	}
	return sum, len(found) > 0
}
