// SPDX-License-Identifier: Apache-2.0

package bpf

import "testing"

func TestRows(t *testing.T) {
	for _, tt := range []struct {
		name    string
		present string
		most    int // processors that the machine may ever have
		want    Rows
	}{
		{"all are here", "0-1\n", 2, Rows{2, 2}},
		{"126 may be added", "0-1\n", 128, Rows{2, 3}},
		{"one may be added", "0-2\n", 4, Rows{3, 4}},
		{"gaps", "0-3,8", 128, Rows{9, 10}},
		{"a single one", "0", 1, Rows{1, 1}},
		{"more are here than the machine may have", "0-7", 4, Rows{4, 4}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			n, err := countPresent(tt.present)
			if err != nil {
				t.Fatal(err)
			}
			if got := rowsFor(n, tt.most); got != tt.want {
				t.Errorf("%+v, want %+v", got, tt.want)
			}
		})
	}
	for _, text := range []string{"", "0-", "x", "0-70000"} {
		if n, err := countPresent(text); err == nil {
			t.Errorf("%q has %d processors", text, n)
		}
	}
}
