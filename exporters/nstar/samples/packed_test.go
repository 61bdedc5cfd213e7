// SPDX-License-Identifier: Apache-2.0

package samples

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// batchOf has this many tiers, each with all possible values.
func batchOf(i, tiers int) Batch {
	b := Batch{End: end(i)}
	kinds := []Cause{{"gc", "stops"}, {"disk", "waits"}}
	for k := range tiers {
		name, v := fmt.Sprintf("tier%d", k), float64(10*i+k)/3
		b.Tiers = append(b.Tiers, Tier{"shop", name, v, v + 1, v + 2, math.NaN(), v + 3, v + 4})
		b.Edges = append(b.Edges, Edge{"shop", name, "db", v, v + 1, v + 2, v + 3, v + 4, math.NaN()})
		b.States = append(b.States, State{"shop", name, end(i - 40), k % 6})
		b.Causes = append(b.Causes, Causes{"shop", name, end(i - 60), kinds, []float32{float32(v), 0.5}})
	}
	return b
}

// A buffer returns what was put in, whatever happens to names and kinds meanwhile.
func TestPacked(t *testing.T) {
	in := []Batch{batchOf(1, 3), batchOf(2, 3), batchOf(3, 2), batchOf(4, 3), {End: end(5)}, batchOf(6, 1)}
	in[1].Tiers[2].App = "blog"
	in[3].States[1].End -= time.Second
	in[3].Causes[2].End -= time.Second
	in[5].Causes[0].Kinds, in[5].Causes[0].Ratios = []Cause{{"lock", "sleeps"}}, []float32{0.25}
	b := NewBuffer(time.Minute)
	for _, batch := range in {
		b.Add(batch)
	}
	if diff := cmp.Diff(in, b.Since(0), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("-in +out:\n%s", diff)
	}
	for i, p := range b.after(0) {
		if want := in[i]; p.samples() != 6*len(want.Tiers)+6*len(want.Edges)+len(want.States)+len(want.Causes) {
			t.Errorf("batch %d: %d samples", i, p.samples())
		}
	}
}

// Batches of the same tiers share their names.
func TestPackedSharesNames(t *testing.T) {
	b := NewBuffer(time.Minute)
	b.Add(batchOf(1, 3))
	b.Add(batchOf(2, 3))
	b.Add(batchOf(3, 2))
	all := b.after(0)
	if all[0].names != all[1].names || all[1].names == all[2].names {
		t.Error("the first two batches do not share their names, or the third does")
	}
}
