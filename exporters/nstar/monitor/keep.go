// SPDX-License-Identifier: Apache-2.0

package monitor

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
)

// knowledgeFile is the name of the file below the state directory.
const knowledgeFile = "knowledge.json"

// kept is the file's content.
type kept struct {
	Version int        `json:"version"`
	Tiers   []keptTier `json:"tiers"`
}

type keptTier struct {
	App  string `json:"app"`
	Tier string `json:"tier"`
	// Seen is when the tier was there last; zero in files of older versions.
	Seen time.Time `json:"seen,omitzero"`
	judgement.Knowledge
}

// keptVersion is raised when older files can't be read any more; they are then ignored.
const keptVersion = 1

// recall reads what an earlier run learned. A file that can't be read is no reason not to measure.
func (m *Monitor) recall() {
	if m.options.StateDirectory == "" {
		return
	}
	path := filepath.Join(m.options.StateDirectory, knowledgeFile)
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var file kept
	if err == nil {
		err = json.Unmarshal(data, &file)
	}
	if err != nil {
		m.options.Log.Warn("What was learned before can't be read; it is learned anew", "file", path, "err", err)
		return
	}
	if file.Version != keptVersion {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.judges.known = make(map[discovery.TierName]known)
	for _, t := range file.Tiers {
		m.judges.known[discovery.TierName{App: t.App, Tier: t.Tier}] = known{t.Knowledge, t.Seen}
	}
	forgetOldest(m.judges.known)
}

// keep writes down what was learned, so that a reader never sees half a file.
func (m *Monitor) keep() {
	if m.options.StateDirectory == "" {
		return
	}
	m.mu.Lock()
	file := kept{Version: keptVersion}
	for name, k := range m.judges.knowledge() {
		file.Tiers = append(file.Tiers, keptTier{App: name.App, Tier: name.Tier, Seen: k.seen, Knowledge: k.Knowledge})
	}
	m.mu.Unlock()
	data, err := json.Marshal(file)
	if err == nil {
		err = replaceFile(filepath.Join(m.options.StateDirectory, knowledgeFile), data)
	}
	if err != nil {
		m.options.Log.Warn("What was learned can't be kept", "err", err)
	}
}

func replaceFile(path string, data []byte) error {
	temporary := path + ".new"
	if err := os.WriteFile(temporary, data, 0o600); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}
