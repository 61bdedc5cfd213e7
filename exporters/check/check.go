// SPDX-License-Identifier: Apache-2.0

// Package check holds scrapes of real systems against the series that the
// rules need of them.
package check

import (
	"fmt"
	"io"
	"slices"
	"strings"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
)

// Series is one line of a list: a metric that a system must show, with the
// labels that tell it from its likes.
type Series struct {
	// Moves says that it must change under load; else it only must be there.
	Moves  bool
	Name   string
	Labels map[string]string
}

// String is the series as the list has it.
func (s *Series) String() string {
	if len(s.Labels) == 0 {
		return s.Name
	}
	var words []string
	for name, value := range s.Labels {
		words = append(words, name+"="+value)
	}
	slices.Sort(words)
	return s.Name + " " + strings.Join(words, " ")
}

// ReadList reads lines such as
//
//	moves kafka_broker_requests_total request=Produce
//	rests kafka_broker_request_queue_size
func ReadList(text string) ([]Series, error) {
	var all []Series
	for number, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		if len(words) < 2 || words[0] != "moves" && words[0] != "rests" {
			return nil, fmt.Errorf("line %d: %q: write moves or rests, a metric, and its labels", number+1, line)
		}
		s := Series{Moves: words[0] == "moves", Name: words[1], Labels: map[string]string{}}
		for _, w := range words[2:] {
			name, value, ok := strings.Cut(w, "=")
			if !ok {
				return nil, fmt.Errorf("line %d: %q is not label=value", number+1, w)
			}
			s.Labels[name] = value
		}
		all = append(all, s)
	}
	return all, nil
}

// Scrape is what an exporter answered, by metric.
type Scrape map[string]*dto.MetricFamily

// ReadScrape reads the text format.
func ReadScrape(r io.Reader) (Scrape, error) {
	parser := expfmt.NewTextParser(model.UTF8Validation)
	return parser.TextToMetricFamilies(r)
}

// Compare says what is missing in the later scrape, and what stands still that
// should move.
func Compare(list []Series, before, after Scrape) []string {
	var wrong []string
	for i := range list {
		s := &list[i]
		then, now := s.values(before), s.values(after)
		switch {
		case len(now) == 0:
			wrong = append(wrong, s.String()+" is gone")
		case s.Moves && slices.Equal(then, now):
			wrong = append(wrong, s.String()+" stands still")
		}
	}
	return wrong
}

// values of all samples of the series, in the order of the scrape.
func (s *Series) values(in Scrape) []float64 {
	var all []float64
	family, value := in.series(s.Name)
	for _, m := range family.GetMetric() {
		has := 0
		for _, l := range m.GetLabel() {
			if v, ok := s.Labels[l.GetName()]; ok && v == l.GetValue() {
				has++
			}
		}
		if has == len(s.Labels) {
			all = append(all, value(m))
		}
	}
	slices.Sort(all)
	return all
}

// series finds the family of a series, nil if there is none, and what reads its
// samples. The sum and the count of a summary are series of their own.
func (s Scrape) series(name string) (*dto.MetricFamily, func(*dto.Metric) float64) {
	if base, ok := strings.CutSuffix(name, "_sum"); ok && s[base].GetType() == dto.MetricType_SUMMARY {
		return s[base], func(m *dto.Metric) float64 { return m.GetSummary().GetSampleSum() }
	}
	if base, ok := strings.CutSuffix(name, "_count"); ok && s[base].GetType() == dto.MetricType_SUMMARY {
		return s[base], func(m *dto.Metric) float64 { return float64(m.GetSummary().GetSampleCount()) }
	}
	return s[name], func(m *dto.Metric) float64 {
		return m.GetCounter().GetValue() + m.GetGauge().GetValue() + m.GetUntyped().GetValue()
	}
}

// Record writes the part of a scrape that a list asks for, as a stand-in for
// the system.
func Record(w io.Writer, list []Series, scrape Scrape) error {
	written := map[string]bool{}
	for i := range list {
		family, _ := scrape.series(list[i].Name)
		if family == nil || written[family.GetName()] {
			continue
		}
		written[family.GetName()] = true
		if _, err := expfmt.MetricFamilyToText(w, family); err != nil {
			return err
		}
	}
	return nil
}
