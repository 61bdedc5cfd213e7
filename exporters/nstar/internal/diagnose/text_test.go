// SPDX-License-Identifier: Apache-2.0

package diagnose

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden compares whole reports, as people and programs read them.
func TestGolden(t *testing.T) {
	reports := map[string]Observations{
		"alternating":     observed(func(o *Observations) { turns(o); collections(o) }),
		"single":          observed(func(o *Observations) { o.Tiers[0].Share = shares(0.1, 0.35, 0) }),
		"unsaturated":     observed(func(o *Observations) { o.Tiers[1].NStar, o.Tiers[1].TPMax = nil, nil }),
		"not_enough_data": observed(func(o *Observations) { o.Evaluations = 12 }),
		"two_servers": observed(func(o *Observations) {
			turns(o)
			o.Tiers[1].Instance = "a:9965"
			o.Tiers = append(o.Tiers, Tier{App: "shop", Tier: "tomcat", Instance: "b:9965", Share: shares(0.5, 0, 0)})
		}),
	}
	for name, o := range reports {
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
	r := Decide(observed(turns))
	if r.WriteText(full{}) == nil || r.WriteJSON(full{}) == nil {
		t.Error("a failed write went unnoticed")
	}
}
