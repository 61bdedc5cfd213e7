// SPDX-License-Identifier: Apache-2.0

package study

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// published reads a table of the thesis: a metric, its type, then its category
// in each setup.
func published(t *testing.T, file string) []*Row {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var rows []*Row
	for line := range strings.Lines(string(content)) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0] == "#" {
			continue
		}
		r := &Row{Metric: Metric{Name: words[0], Type: words[1], Client: strings.HasPrefix(words[0], "CL_")}}
		for _, c := range words[2:] {
			r.Judgements = append(r.Judgements, Judgement{Category: Category(c), Confidence: 1})
		}
		rows = append(rows, r)
	}
	return rows
}

func names(rows []*Row) []string {
	var all []string
	for _, r := range rows {
		all = append(all, r.Metric.Name)
	}
	slices.Sort(all)
	return all
}

// TestChooseThesis finds the sets that the thesis found by hand in its tables.
func TestChooseThesis(t *testing.T) {
	never := func(r *Row) bool { return r.Count(Misleading) > 0 }
	server := func(r *Row) bool { return never(r) || r.Metric.Client }
	for _, test := range []struct {
		name, table string
		drop        func(*Row) bool
		want        []string
		covers      int
	}{
		// Figure 3.25: three metrics of the server identify the bottleneck in 11 of 14 setups.
		{"Kafka, server only, never misleading", "testdata/table_3_11.txt", server,
			[]string{"KF_fetchfollower_queue_time", "KF_request_processing_time", "KF_request_queue_time"}, 11},
		// Figure 3.23: one metric of the clients and one of the server cover all.
		{"Kafka, any", "testdata/table_3_11.txt", func(*Row) bool { return false }, nil, 14},
		// Section 5.2.4: the error rate alone, in 7 of 8 setups.
		{"LAMP, never misleading", "testdata/table_5_5.txt", never, []string{"AP_error_rate"}, 7},
		// Figure 5.12: the error rate with one other.
		{"LAMP, any", "testdata/table_5_5.txt", func(*Row) bool { return false }, []string{"AP_error_rate",
			"MS_cached_threads"}, 8},
	} {
		t.Run(test.name, func(t *testing.T) {
			rows := slices.DeleteFunc(published(t, test.table), test.drop)
			got := choose(rows, len(rows[0].Judgements))
			if got.Covers() != test.covers {
				t.Errorf("%v cover %d setups, want %d", names(got.Rows), got.Covers(), test.covers)
			}
			if test.want != nil {
				if diff := cmp.Diff(test.want, names(got.Rows)); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			} else if len(got.Rows) != 2 {
				t.Errorf("%v, want two metrics", names(got.Rows))
			}
		})
	}
}
