// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"encoding/json"
	"os"
	"time"
)

// recordedLine is a line of a recording, of which one part is there; see recorder.
type recordedLine struct {
	T       int64 // ms
	Run     *struct{ App, Scenario string }
	V       map[string]float64
	Metrics []string
	Stop    *struct {
		Tier       string
		Begin, End time.Time
	}
}

// longestLine of a recording is a scrape of /metrics.
const longestLine = 1 << 26

// replay gives the lines of a recording in their order.
func replay(file string, take func(recordedLine)) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, longestLine)
	for lines.Scan() {
		var line recordedLine
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return err
		}
		take(line)
	}
	return lines.Err()
}
