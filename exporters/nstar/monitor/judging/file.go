// SPDX-License-Identifier: Apache-2.0

package judging

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
	"github.com/nstar-project/nstar/exporters/nstar/judgement"
)

// knowledgeFile is the name of the file below the state directory.
const knowledgeFile = "knowledge.json"

// kept is the content of the file.
type kept struct {
	Version int        `json:"version"`
	Tiers   []keptTier `json:"tiers"`
}

type keptTier struct {
	App  string `json:"app"`
	Tier string `json:"tier"`
	// Seen is when the tier was last there; zero in files of older versions.
	Seen time.Time `json:"seen,omitzero"`
	judgement.Knowledge
}

// keptVersion is increased when older files can't be read any more. Older files are then ignored.
const keptVersion = 1

// ReadMemory reads what an earlier run learned from the file in a directory. It returns nothing if there is no such
// file, or one of another version.
func ReadMemory(directory string) (Memory, error) {
	data, err := os.ReadFile(filepath.Join(directory, knowledgeFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var file kept
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", knowledgeFile, err)
	}
	if file.Version != keptVersion {
		return nil, nil
	}
	out := make(Memory, len(file.Tiers))
	for _, t := range file.Tiers {
		out[discovery.TierName{App: t.App, Tier: t.Tier}] = Learned{t.Knowledge, t.Seen}
	}
	return out, nil
}

// Write writes the file in such a way that a reader never sees half of it.
func (m Memory) Write(directory string) error {
	file := kept{Version: keptVersion}
	for name, k := range m {
		file.Tiers = append(file.Tiers, keptTier{App: name.App, Tier: name.Tier, Seen: k.Seen, Knowledge: k.Knowledge})
	}
	data, err := json.Marshal(file)
	if err != nil {
		return err
	}
	path := filepath.Join(directory, knowledgeFile)
	temporary := path + ".new"
	if err := os.WriteFile(temporary, data, 0o600); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}
