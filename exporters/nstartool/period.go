// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/alecthomas/kingpin/v2"
	"github.com/prometheus/common/model"
)

// period is the range of time that a command looks at.
type period struct {
	last string
	time string
}

func (p *period) addFlags(cmd *kingpin.CmdClause) {
	cmd.Flag("last", "How far to look back, for example 3m or 2h.").Default("3m").StringVar(&p.last)
	cmd.Flag("time", "Look back from this time, as RFC 3339 or in seconds since 1970; by default from now.").
		PlaceHolder("2026-01-31T03:12:00Z").StringVar(&p.time)
}

// parse returns the length of the range and its end, which is zero for now.
func (p *period) parse() (end time.Time, length time.Duration, err error) {
	span, err := model.ParseDuration(p.last)
	if err != nil || span <= 0 {
		return end, 0, fmt.Errorf("--last %q is not a duration: write for example 90s, 3m or 2h", p.last)
	}
	if p.time == "" {
		return end, time.Duration(span), nil
	}
	if seconds, err := strconv.ParseFloat(p.time, 64); err == nil && seconds > 0 && seconds < math.MaxInt64/1e9 {
		return time.UnixMilli(int64(math.Round(seconds * 1000))).UTC(), time.Duration(span), nil
	}
	end, err = time.Parse(time.RFC3339, p.time)
	if err != nil {
		return end, 0, fmt.Errorf("--time %q is not a time: write for example 2026-01-31T03:12:00Z, or +01:00 in "+
			"place of Z, or seconds since 1970", p.time)
	}
	return end, time.Duration(span), nil
}
