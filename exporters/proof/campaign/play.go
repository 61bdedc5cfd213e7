// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"
)

// play starts the servers of a block and measures its points that are missing. The capacity of a new setup is
// measured first, because it decides the numbers of clients.
func play(ctx context.Context, o options, b block, features []feature, st *store, p *progress) error {
	p.start()
	var r *servers
	defer func() { r.stop() }()
	if len(st.levels(b.setup.name)) == 0 {
		var err error
		if r, err = started(ctx, o, b.setup, ""); err != nil {
			return err
		}
		if err := r.calibrate(ctx, st); err != nil {
			return err
		}
		p.recount()
	}
	missing := b.remaining(st, o)
	if len(missing) == 0 {
		return nil
	}
	if r == nil || b.grown != "" {
		r.stop()
		var err error
		if r, err = started(ctx, o, b.setup, b.grown); err != nil {
			return err
		}
	}
	for _, next := range missing {
		if o.most > 0 && p.done >= o.most {
			return errEnough
		}
		if err := r.calm(ctx); err != nil {
			return err
		}
		m, err := r.measurePoint(ctx, next, features)
		if err != nil {
			return err
		}
		if err := st.add(m); err != nil {
			return err
		}
		p.point(m)
	}
	return nil
}

// started are the servers of a setup, with a tier bigger or none.
func started(ctx context.Context, o options, s setup, grown string) (*servers, error) {
	return start(ctx, o, o.app.grown(s, grown), filepath.Join(o.output, "state", s.name+"+"+grown))
}

// calibrate finds about how many clients saturate a setup: from its throughput when it has far too much to do, and
// its response time when there is hardly anything to do.
func (r *servers) calibrate(ctx context.Context, st *store) error {
	flood := r.app.flood
	most, _, err := r.try(ctx, "most", flood.clients, flood.think, r.calibration)
	if err != nil {
		return err
	}
	_, alone, err := r.try(ctx, "single", 1, 2*flood.think, r.calibration/2)
	if err != nil {
		return err
	}
	if most <= 0 {
		return fmt.Errorf("%s answers nothing", r.name)
	}
	return st.calibrated(r.name, most, around(r.app.saturating(most, alone, r.think), r.levels))
}

// try runs a load to its end and returns its throughput and the seconds that each request took, without its first
// half.
func (r *servers) try(ctx context.Context, name string, clients int, think, length time.Duration) (throughput,
	mean float64, err error) {
	if err := r.calm(ctx); err != nil {
		return 0, 0, err
	}
	c, err := r.drive(name, clients, think, length+2*time.Second)
	if err != nil {
		return 0, 0, err
	}
	defer c.Stop()
	before, after, err := between(ctx, c, length/2, length/2, func() error { return nil })
	if err != nil {
		return 0, 0, err
	}
	throughput, mean, _ = after.since(before)
	return throughput, mean, nil
}

// between waits, and returns the load's counts at the begin and at the end of a time; begin is called at the begin,
// too.
func between(ctx context.Context, c load, warm, length time.Duration, begin func() error) (before, after outcome,
	err error) {
	if err := pause(ctx, warm); err != nil {
		return before, after, err
	}
	// The first answer of a slow setup may take longer than warming up does.
	if before, err = c.outcome(); err != nil {
		before = outcome{}
	}
	if err := errors.Join(begin(), pause(ctx, length), c.Ended()); err != nil {
		return before, after, err
	}
	after, err = c.outcome()
	return before, after, err
}

// measurePoint loads the servers with this many clients and takes the load's and all exporters' values.
func (r *servers) measurePoint(ctx context.Context, next point, features []feature) (measured, error) {
	m := measured{point: next, begun: time.Now()}
	c, err := r.drive("load", next.clients, r.think, r.warm+r.measure+5*time.Second)
	if err != nil {
		return m, err
	}
	defer c.Stop()
	var first usage
	before, after, err := between(ctx, c, r.warm, r.measure, func() (err error) {
		first, err = r.usage()
		return err
	})
	if err != nil {
		return m, err
	}
	last, err := r.usage()
	if err != nil {
		return m, err
	}
	m.others = others(first, last)
	m.throughput, m.mean, m.errors = after.since(before)
	m.values, err = ask(ctx, r.prometheus.API, r.app.name, features, time.Now())
	return m, err
}

// pause waits, or reports that the user interrupts the campaign.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return errEnough
	case <-time.After(d):
		return nil
	}
}
