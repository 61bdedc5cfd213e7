// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// safepointLogs are the logs of the demo's Tomcats (deploy/demo/tomcat/start.sh), one of each virtual machine.
const safepointLogs = "log/safepoints-*.log"

// worthSafepoint is the shortest safepoint that is listed: one that a window of 50 ms can show.
const worthSafepoint = 5 * time.Millisecond

// safepoint is when HotSpot logs that all of its threads may go on (-Xlog:safepoint, decorated with the milliseconds
// since 1970), and for how long they stood still.
var safepoint = regexp.MustCompile(`^\[(\d+)ms\].* Safepoint .* Total: (\d+) ns`)

// safepoints are the times in which the board's Tomcat let no thread run, by the logs of all of its virtual machines.
func (s *stack) safepoints() (all []episode, err error) {
	files, err := filepath.Glob(filepath.Join(s.dir, safepointLogs))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		found, err := readSafepoints(string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, found...)
	}
	return all, nil
}

// readSafepoints reads such a log. Other lines are of other matters.
func readSafepoints(text string) (all []episode, err error) {
	for line := range strings.Lines(text) {
		m := safepoint.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		over, err := strconv.ParseInt(m[1], 10, 64)
		if err != nil {
			return nil, err
		}
		total, err := strconv.ParseInt(m[2], 10, 64)
		if err != nil {
			return nil, err
		}
		if length := time.Duration(total); length >= worthSafepoint {
			end := time.UnixMilli(over)
			all = append(all, episode{"tomcat", end.Add(-length), end})
		}
	}
	return all, nil
}
