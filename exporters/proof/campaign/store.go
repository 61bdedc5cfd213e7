// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// measured is a point with its results.
type measured struct {
	point
	begun      time.Time
	throughput float64 // requests that were answered per second, as the application counts them
	mean       float64 // seconds that one request took
	errors     int     // requests that failed
	// others is the share of the servers' processors that programs took which are none of ours.
	others float64
	values map[column]float64
}

// line is a measured point as it is kept.
type line struct {
	Setup      string     `json:"setup"`
	Grown      string     `json:"grown,omitempty"`
	Run        int        `json:"run"`
	Clients    int        `json:"clients"`
	Begun      time.Time  `json:"begun"`
	Throughput float64    `json:"throughput"`
	Mean       float64    `json:"mean_seconds"`
	Errors     int        `json:"errors"`
	Others     float64    `json:"others"`
	Values     []keptText `json:"values"`
}

type keptText struct {
	Record string  `json:"record"`
	Type   string  `json:"type"`
	Metric string  `json:"metric"`
	Tier   string  `json:"tier,omitempty"`
	Value  float64 `json:"value"`
}

// about is where the data come from.
type about struct {
	Application string            `json:"application,omitempty"`
	Begun       time.Time         `json:"begun"`
	Revision    string            `json:"revision"`
	Machine     map[string]string `json:"machine"`
	Programs    map[string]string `json:"programs"`
	// Values that must be the same for all points.
	Seed    uint64 `json:"seed"`
	Warm    string `json:"warm"`
	Measure string `json:"measure"`
	Think   string `json:"think"`
	Note    string `json:"note,omitempty"`
	// Levels are the numbers of clients of each setup, once it was calibrated.
	Levels map[string][]int `json:"levels"`
	// Capacity is what each setup did when it was calibrated, in requests per second.
	Capacity map[string]float64 `json:"capacity"`
}

// store is a campaign's directory: about.json, and points.jsonl with a line for each point as soon as it was measured.
// Everything else in it is derived from these.
type store struct {
	app    *application
	dir    string
	about  about
	points []measured
	known  map[point]bool
	file   *os.File
}

const (
	aboutFile  = "about.json"
	pointsFile = "points.jsonl"
)

// openStore opens or begins a directory; a directory that was begun with other settings is refused, because its points
// would not be comparable.
func openStore(dir string, app *application, now about) (*store, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	s := &store{app: app, dir: dir, about: now, known: map[point]bool{}}
	content, err := os.ReadFile(filepath.Join(dir, aboutFile))
	switch {
	case errors.Is(err, os.ErrNotExist):
		if err := s.save(); err != nil {
			return nil, err
		}
	case err != nil:
		return nil, err
	default:
		s.about = about{}
		if err := json.Unmarshal(content, &s.about); err != nil {
			return nil, fmt.Errorf("%s: %w", aboutFile, err)
		}
		was := s.about
		if was.Application == "" { // from when there was no other
			was.Application = lamp.name
		}
		if was.Application != app.name {
			return nil, fmt.Errorf("%s is a campaign of %s: use another -output", dir, was.Application)
		}
		if was.Seed != now.Seed || was.Warm != now.Warm || was.Measure != now.Measure || was.Think != now.Think {
			return nil, fmt.Errorf("%s was begun with -seed %d -warm %s -measure %s -think %s: go on with these, or "+
				"in another -output",
				dir, was.Seed, was.Warm, was.Measure, was.Think)
		}
	}
	if err := s.load(); err != nil {
		return nil, err
	}
	s.file, err = os.OpenFile(filepath.Join(dir, pointsFile), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	return s, err
}

// load reads the points. A last line that was cut off is a point that was never finished: it is taken away, so that the
// next one begins on a line of its own.
func (s *store) load() error {
	path := filepath.Join(s.dir, pointsFile)
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	whole := int64(0)
	for r := bufio.NewReader(file); ; {
		text, err := r.ReadBytes('\n')
		if err != nil {
			break // also what has no end
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return fmt.Errorf("%s, at byte %d: %w", path, whole, err)
		}
		whole += int64(len(text))
		s.keep(l.measured())
	}
	return os.Truncate(path, whole)
}

func (s *store) keep(m measured) {
	s.points = append(s.points, m)
	s.known[m.point] = true
}

// add keeps a point so that it survives whatever comes.
func (s *store) add(m measured) error {
	text, err := json.Marshal(m.line())
	if err != nil {
		return err
	}
	if _, err := s.file.Write(append(text, '\n')); err != nil {
		return err
	}
	s.keep(m)
	return s.file.Sync()
}

func (s *store) has(p point) bool { return s.known[p] }

func (s *store) levels(setup string) []int { return s.about.Levels[setup] }

// calibrated remembers the levels of a setup.
func (s *store) calibrated(setup string, capacity float64, levels []int) error {
	if s.about.Levels == nil {
		s.about.Levels, s.about.Capacity = map[string][]int{}, map[string]float64{}
	}
	s.about.Levels[setup], s.about.Capacity[setup] = levels, capacity
	return s.save()
}

func (s *store) save() error {
	content, err := json.MarshalIndent(s.about, "", "  ")
	if err != nil {
		return err
	}
	return replace(filepath.Join(s.dir, aboutFile), append(content, '\n'))
}

func (s *store) close() error { return s.file.Close() }

// replace writes a file whole or not at all.
func replace(path string, content []byte) error {
	if err := os.WriteFile(path+".new", content, 0o644); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

func (m measured) line() line {
	l := line{m.setup, m.grown, m.run, m.clients, m.begun.UTC(), m.throughput, m.mean, m.errors, m.others, []keptText{}}
	for _, c := range sorted(m.values) {
		l.Values = append(l.Values, keptText{c.record, c.kind, c.metric, c.tier, m.values[c]})
	}
	return l
}

func (l line) measured() measured {
	m := measured{point{l.Setup, l.Grown, l.Run, l.Clients}, l.Begun, l.Throughput, l.Mean, l.Errors, l.Others,
		map[column]float64{}}
	for _, v := range l.Values {
		m.values[column{v.Record, v.Type, v.Metric, v.Tier}] = v.Value
	}
	return m
}
