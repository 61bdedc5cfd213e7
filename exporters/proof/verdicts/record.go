// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// recorder saves the exporters' output, so that judgement can be replayed without the stack. Each line of the file is
// a JSON object: the first describes the run; {"t", "v"} is a window, with the samples of /windows by "name{tier}" or
// "name{from>to}" (the prefix nstar_window_ left out, t the end of the window in ms); {"t", "metrics"} is the text of
// /metrics; {"t", "stop"} is a stop that was made; {"t", "said"} is the verdict. At its end are the data needed to
// judge the run again: all input of the judges of each exporter, {"by", "told"}, when Prometheus scraped it, {"t",
// "scrapes"}, and the verdicts that the rules recorded, {"t", "verdicts"}.
type recorder struct {
	mu   sync.Mutex
	file io.WriteCloser // nil: not wanted
}

// newRecorder begins a file; with an empty directory everything is thrown away.
func newRecorder(dir, name string) (*recorder, error) {
	r := &recorder{}
	if dir == "" {
		return r, nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	file, err := os.Create(filepath.Join(dir, name+".jsonl"))
	if err != nil {
		return nil, err
	}
	r.file = file
	return r, nil
}

func (r *recorder) add(t time.Time, key string, value any) {
	if r.file == nil {
		return
	}
	_ = r.write(map[string]any{"t": t.UnixMilli(), key: value}) // a disk that is full ends the recording, not the run
}

func (r *recorder) write(line map[string]any) error {
	text, err := json.Marshal(line)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	_, err = r.file.Write(append(text, '\n'))
	return err
}

// keep adds the data that the exporters and Prometheus recorded themselves.
func (r *recorder) keep(v *view, p *prometheus) {
	if r.file == nil {
		return
	}
	for i, input := range v.inputs {
		by := strings.TrimPrefix(v.exporters[i].URL, "http://")
		err := lines(input, func(line []byte) error {
			if !json.Valid(line) { // the last one is being written
				return nil
			}
			return r.write(map[string]any{"by": by, "told": json.RawMessage(line)})
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, "verdicts: what an exporter wrote down is not in the recording:", err)
		}
		r.add(time.Now(), "scrapes", scrapes{by, p.scrapes(by)})
	}
	for _, e := range p.evaluations(v.app) {
		r.add(e.at, "verdicts", e.verdicts)
	}
}

func (r *recorder) close() {
	if r.file != nil {
		r.file.Close()
	}
}

// follow records the exporters of a view until the context ends. Windows come about once a second, counters every 5 s.
func (r *recorder) follow(ctx context.Context, v *view) {
	if r.file == nil {
		return
	}
	for tick := time.NewTicker(time.Second); ; {
		for _, e := range v.exporters {
			if samples, err := e.Windows("recorder"); err == nil {
				r.windows(samples, v.app)
			}
			if time.Now().Unix()%5 == 0 {
				r.metrics(e, v.app)
			}
		}
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
	}
}

func (r *recorder) windows(samples bed.Samples, app string) {
	byTime := make(map[int64]map[string]float64)
	for _, s := range samples {
		if s.Labels["app"] != app || s.Time.IsZero() {
			continue
		}
		t := s.Time.UnixMilli()
		if byTime[t] == nil {
			byTime[t] = make(map[string]float64)
		}
		station := s.Labels["tier"]
		if station == "" {
			station = s.Labels["from"] + ">" + s.Labels["to"]
		}
		byTime[t][strings.TrimPrefix(s.Name, "nstar_window_")+"{"+station+"}"] = s.Value
	}
	for _, t := range slices.Sorted(maps.Keys(byTime)) {
		r.add(time.UnixMilli(t), "v", byTime[t])
	}
}

// metrics records what is said about the application; other servers of the machine are left out.
func (r *recorder) metrics(e *bed.Exporter, app string) {
	answer, err := bed.Client.Get(e.URL + "/metrics")
	if err != nil {
		return
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "nstar_") && strings.Contains(line, `app="`+app+`"`) {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	r.add(time.Now(), "metrics", lines)
}
