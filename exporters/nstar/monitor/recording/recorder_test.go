// SPDX-License-Identifier: Apache-2.0

package recording

import (
	"encoding/json"
	"io"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/judging"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

var web = discovery.TierName{App: "shop", Tier: "web"}

// A recording ends, with a whole line, when it has reached its maximum length, and logs that once.
func TestLimit(t *testing.T) {
	path, log := filepath.Join(t.TempDir(), "recording"), &strings.Builder{}
	r, err := Create(path, 2000, 50*time.Millisecond, slog.New(slog.NewTextHandler(log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		r.Tier(web, 0, judging.Heard{Window: window.Window{Arrivals: 1}, GC: math.NaN()})
		r.Taken(window.Window{Index: int64(i)})
		r.Flush()
	}
	r.Close()
	text, err := os.ReadFile(path)
	if err != nil || len(text) == 0 || len(text) > 2000 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
	for line := range strings.Lines(string(text)) {
		var l Line
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}
	if n := strings.Count(log.String(), "as long as it may be"); n != 1 {
		t.Errorf("said %d times:\n%s", n, log)
	}
}

// Without a recorder nothing is written. A file that can't be created is an error.
func TestNobodyRecords(t *testing.T) {
	var r *Recorder
	r.Tier(web, 0, judging.Heard{})
	r.Edge(judging.Edge{})
	r.Taken(window.Window{})
	r.Asked()
	r.Known(nil)
	r.Found(nil)
	r.Gone([]discovery.TierName{web}, nil)
	r.Loads(nil)
	r.Answers(nil)
	r.Close()
	if _, err := Create(t.TempDir(), 1, time.Second, slog.New(slog.NewTextHandler(io.Discard, nil))); err == nil {
		t.Error("a directory is taken for a file")
	}
}
