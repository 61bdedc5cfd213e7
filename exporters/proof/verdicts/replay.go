// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/monitor/recording"
)

// recordedLine is a line of a recording, of which one part is there; see recorder.
type recordedLine struct {
	T       int64 // ms
	Run     *recordedRun
	V       map[string]float64
	Metrics []string
	Stop    *struct {
		Tier       string
		Begin, End time.Time
	}
	Said           *recordedSaid
	By             string // the exporter of Told
	Told           *recording.Line
	Scrapes        *scrapes
	Verdicts       []verdict
	recording.Line // recorded by an exporter elsewhere
}

// Recorded reports whether the line is from an exporter's own recording.
func (l recordedLine) Recorded() bool { return l.At > 0 }

// recordedRun is the first line.
type recordedRun struct {
	App      string      `json:"app"`
	Scenario string      `json:"scenario"`
	Truth    []string    `json:"truth"`
	Expect   expectation `json:"expect"`
}

// recordedSaid are the verdicts 30, 60, ... seconds after the beginning of the load.
type recordedSaid struct {
	At    float64 `json:"at"`    // seconds
	Doubt bool    `json:"doubt"` // of the truth: the machine took part
}

// scrapes are the times at which Prometheus scraped an exporter, in ms.
type scrapes struct {
	By string  `json:"by"`
	At []int64 `json:"at"`
}

// longestLine of a recording is a scrape of /metrics.
const longestLine = 1 << 26

// eachLine gives the lines of a recording in their order.
func eachLine(file string, take func(recordedLine)) error {
	return lines(file, func(text []byte) error {
		var line recordedLine
		if err := json.Unmarshal(text, &line); err != nil {
			return err
		}
		take(line)
		return nil
	})
}

// lines gives the lines of a file, which may be compressed, in their order.
func lines(file string, take func([]byte) error) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	var text io.Reader = f
	if strings.HasSuffix(file, ".gz") {
		if text, err = gzip.NewReader(f); err != nil {
			return err
		}
	}
	scanner := bufio.NewScanner(text)
	scanner.Buffer(nil, longestLine)
	for scanner.Scan() {
		if err := take(scanner.Bytes()); err != nil {
			return err
		}
	}
	return scanner.Err()
}
