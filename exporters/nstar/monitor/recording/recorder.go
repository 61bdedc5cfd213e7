// SPDX-License-Identifier: Apache-2.0

package recording

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/prometheus/common/version"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
	"github.com/nstar-project/nstar/exporters/nstar/monitor/judging"
	"github.com/nstar-project/nstar/exporters/nstar/window"
)

// Recorder writes a recording. A nil Recorder writes nothing. It is not safe for concurrent use.
type Recorder struct {
	to      *bufio.Writer
	file    io.Closer // nil after the end
	left    int       // bytes that may still be written
	log     *slog.Logger
	windows Windows // of the time that is being taken
}

// Create begins a recording, in a file, of windows of the given width. The recording ends after most bytes.
func Create(path string, most int, width time.Duration, log *slog.Logger) (*Recorder, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the recording can't be written: %w", err)
	}
	r := &Recorder{to: bufio.NewWriter(f), file: f, left: most, log: log}
	r.write(Line{Begin: &Begin{version.Info(), width.Seconds()}})
	return r, nil
}

// Known records what is remembered from an earlier run.
func (r *Recorder) Known(m judging.Memory) {
	if r == nil {
		return
	}
	var all []Known
	for name, k := range m {
		all = append(all, Known{name.App, name.Tier, k.Knowledge})
	}
	r.write(Line{Known: all})
}

// Found records what is known of the tiers that a scan found.
func (r *Recorder) Found(facts []judging.Fact) {
	if r != nil {
		r.write(Line{Found: facts})
	}
}

// Gone records the names of tiers and edges that are not there any more.
func (r *Recorder) Gone(tiers []discovery.TierName, edges []EdgeName) {
	if r != nil && len(tiers)+len(edges) > 0 {
		r.write(Line{Gone: &Gone{tiers, edges}})
	}
}

// Loads records how busy the tiers' processors were.
func (r *Recorder) Loads(of map[discovery.TierName]judgement.Load) {
	if r == nil || len(of) == 0 {
		return
	}
	var all []Load
	for name, l := range of {
		all = append(all, Load{name.App, name.Tier, l.From, l.To, Figure(l.Cores), Figure(l.Used),
			Figure(l.Busy), l.Others,
			l.Disk, l.Waiting, Figure(l.Thread), Figure(l.Writes), Figure(l.Processes)})
	}
	r.write(Line{Loads: all})
}

// Answers records what the tiers answered.
func (r *Recorder) Answers(of map[discovery.TierName]judgement.Answers) {
	if r == nil || len(of) == 0 {
		return
	}
	var all []Answers
	for name, a := range of {
		all = append(all, Answers{name.App, name.Tier, a.To, a.Seconds, a.Quick, a.Long, a.Typical, a.Alike,
			a.Center, a.Chance, a.Effective, a.Times})
	}
	r.write(Line{Answers: all})
}

// Tier records a tier's window. For the tier's first window, idle is the number of windows without a request before it.
func (r *Recorder) Tier(name discovery.TierName, idle uint64, h judging.Heard) {
	if r != nil {
		t := tierOf(name, h)
		t.Idle = idle
		r.windows.Tiers = append(r.windows.Tiers, t)
	}
}

// Unasked records a window of a tier that nobody has asked for anything yet.
func (r *Recorder) Unasked(name discovery.TierName, h judging.Heard) {
	if r != nil {
		t := tierOf(name, h)
		t.Unasked = true
		r.windows.Tiers = append(r.windows.Tiers, t)
	}
}

func tierOf(name discovery.TierName, h judging.Heard) Tier {
	return Tier{App: name.App, Tier: name.Tier, Window: h.Window, GC: Figure(h.GC), Work: h.Work, Quota: h.Quota}
}

// Edge records a window of an edge.
func (r *Recorder) Edge(e judging.Edge) {
	if r != nil {
		r.windows.Edges = append(r.windows.Edges, Edge{EdgeName{e.Caller.App, e.Caller.Tier, e.To}, e.Window})
	}
}

// Taken says that all windows of one time have been recorded.
func (r *Recorder) Taken(w window.Window) {
	if r == nil {
		return
	}
	r.windows.Index, r.windows.Merged = w.Index, w.Merged
	r.write(Line{Windows: &r.windows})
	r.windows.Tiers, r.windows.Edges = r.windows.Tiers[:0], r.windows.Edges[:0]
}

// Asked records that the totals so far are asked for.
func (r *Recorder) Asked() {
	if r != nil {
		r.write(Line{Asked: true})
	}
}

// Flush writes out what is still in memory.
func (r *Recorder) Flush() {
	if r == nil || r.file == nil {
		return
	}
	if err := r.to.Flush(); err != nil {
		r.end("The recording can't be written; it ends here", "err", err)
	}
}

// Close ends the recording.
func (r *Recorder) Close() {
	if r.Flush(); r != nil && r.file != nil {
		r.file.Close()
		r.file = nil
	}
}

// write adds a line if there is still room for it.
func (r *Recorder) write(l Line) {
	if r.file == nil {
		return
	}
	l.At = time.Now().UnixMilli()
	text, err := json.Marshal(l)
	if err != nil {
		r.end("The recording can't be written; it ends here", "err", err)
		return
	}
	if r.left -= len(text) + 1; r.left < 0 {
		r.Flush()
		r.end("The recording is as long as it may be; it ends here")
		return
	}
	_, _ = r.to.Write(append(slices.Clip(text), '\n')) // the writer keeps an error until the flush
}

func (r *Recorder) end(why string, args ...any) {
	if r.file == nil {
		return
	}
	r.log.Warn(why, args...)
	r.file.Close()
	r.file = nil
}
