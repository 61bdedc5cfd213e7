// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strings"
	"testing"
	"time"
)

func TestPeriod(t *testing.T) {
	night := time.Date(2026, 1, 31, 3, 12, 0, 0, time.UTC)
	for _, test := range []struct {
		last, time string
		end        time.Time
		length     time.Duration
		err        string
	}{
		{"3m", "", time.Time{}, 3 * time.Minute, ""},
		{"1h30m", "2026-01-31T03:12:00Z", night, 90 * time.Minute, ""},
		{"3m", "2026-01-31T04:12:00+01:00", night, 3 * time.Minute, ""},
		{"3m", "1769829120", night, 3 * time.Minute, ""},
		{"3m", "1769829120.25", night.Add(250 * time.Millisecond), 3 * time.Minute, ""},
		{"soon", "", time.Time{}, 0, "write for example 90s, 3m or 2h"},
		{"3m", "last night", time.Time{}, 0, "write for example 2026-01-31T03:12:00Z"},
		{"3m", "2026-01-31 03:12", time.Time{}, 0, "write for example 2026-01-31T03:12:00Z"},
		{"3m", "-5", time.Time{}, 0, "is not a time"},
		{"3m", "NaN", time.Time{}, 0, "is not a time"},
		{"3m", "1e300", time.Time{}, 0, "is not a time"},
	} {
		end, length, err := (&period{last: test.last, time: test.time}).parse()
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%+v: error %v", test, err)
			}
			continue
		}
		if err != nil || !end.Equal(test.end) || length != test.length {
			t.Errorf("%+v: %v, %v, %v", test, end, length, err)
		}
	}
}
