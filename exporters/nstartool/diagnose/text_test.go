// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden compares whole reports, as people and programs read them.
func TestGolden(t *testing.T) {
	for name, o := range scenes() {
		for suffix, write := range map[string]func(*bytes.Buffer) error{
			"txt":  func(b *bytes.Buffer) error { return Decide(o).WriteText(b) },
			"json": func(b *bytes.Buffer) error { return Decide(o).WriteJSON(b) },
		} {
			t.Run(name+"."+suffix, func(t *testing.T) {
				var got bytes.Buffer
				if err := write(&got); err != nil {
					t.Fatal(err)
				}
				path := filepath.Join("testdata", name+"."+suffix)
				if *update {
					if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(string(want), got.String()); diff != "" {
					t.Errorf("(-want +got)\n%s", diff)
				}
			})
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteErrorsAreReported(t *testing.T) {
	r := Decide(scenes()["demand"])
	if r.WriteText(full{}) == nil || r.WriteJSON(full{}) == nil {
		t.Error("a failed write went unnoticed")
	}
}

// A few tenths of a millisecond in each of many tiers are two lines, below what else is known.
func TestNeighboursOfMany(t *testing.T) {
	a := Answer{App: "shop", Verdict: SingleBottleneck, Notes: []string{"db answers with errors."}}
	report := Report{Causes: []Cause{{App: "shop", Tier: "db", Cause: causeStopped}}}
	for _, tier := range []string{"web", "java", "cache"} {
		report.Causes = append(report.Causes, Cause{App: "shop", Tier: tier, Cause: causeNeighbour, Share: 0.03,
			Milliseconds: 0.3, Evidence: "Noisy neighbour in " + tier + "."})
	}
	var got bytes.Buffer
	report.writeAnswer(&sticky{w: &got}, a)
	want := "db answers with errors.\nNoisy neighbour in web.\n" +
		"Noisy neighbours in java and cache account for 0.6 ms (6.0 %) more.\n"
	if !strings.HasPrefix(got.String(), want) {
		t.Errorf("got %q", got.String())
	}
}
