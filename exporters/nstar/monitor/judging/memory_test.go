// SPDX-License-Identifier: Apache-2.0

package judging

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nstar-project/nstar/exporters/nstar/discovery"
)

const width = 10 * time.Millisecond

// What is remembered of absent tiers is limited, and the most recent ones are kept.
func TestKnowledgeIsBounded(t *testing.T) {
	j := New(width)
	for i := range 3 * mostKnown {
		name := discovery.TierName{App: "a", Tier: fmt.Sprint(i)}
		j.Of(name, 0)
		j.Retire(name)
	}
	if len(j.memory) != mostKnown {
		t.Errorf("%d are remembered, want %d", len(j.memory), mostKnown)
	}
	if _, ok := j.memory[discovery.TierName{App: "a", Tier: fmt.Sprint(3*mostKnown - 1)}]; !ok {
		t.Error("the last is forgotten")
	}
}

// What was learned survives a restart of the exporter. A broken file is an error; a file of another version counts as
// missing.
func TestMemoryOutlivesARestart(t *testing.T) {
	directory := t.TempDir()
	path := filepath.Join(directory, knowledgeFile)
	if m, err := ReadMemory(directory); m != nil || err != nil {
		t.Errorf("without a file: %v, %v", m, err)
	}
	j := New(width)
	here, away := discovery.TierName{App: "shop", Tier: "web"}, discovery.TierName{App: "shop", Tier: "db"}
	j.Of(here, 0)
	j.Of(away, 0)
	j.Retire(away)
	want := j.Memory()
	if err := want.Write(directory); err != nil {
		t.Fatal(err)
	}
	got, err := ReadMemory(directory)
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil || len(got) != 2 {
		t.Errorf("%v, -want +got:\n%s", err, diff)
	}
	next := New(width)
	next.Remember(got)
	if m := next.Memory(); len(m) != 2 {
		t.Errorf("%d are remembered, want 2", len(m))
	}
	for text, bad := range map[string]bool{`{"version":2,"tiers":[{"app":"a"}]}`: false, `{"version":1,"ti`: true} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if m, err := ReadMemory(directory); m != nil || (err != nil) != bad {
			t.Errorf("%s: %v, %v", text, m, err)
		}
	}
}
