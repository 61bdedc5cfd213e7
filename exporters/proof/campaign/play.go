// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"
)

// play starts the servers of a block and measures its points that are missing. A setup that was never seen is first
// asked what it can do, which decides the numbers of clients.
func play(ctx context.Context, o options, b block, features []feature, st *store, p *progress) error {
	p.start()
	if len(st.levels(b.setup.name)) == 0 {
		if err := calibrate(ctx, o, b.setup, st); err != nil {
			return err
		}
		p.recount()
	}
	missing := b.remaining(st, o)
	if len(missing) == 0 {
		return nil
	}
	state := filepath.Join(o.output, "state", b.setup.name+"+"+b.grown)
	r, err := start(o, b.setup.grown(b.grown), state)
	if err != nil {
		return err
	}
	defer r.stop()
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

// calm waits until what an earlier load has left behind is done: users who have gone are still served by PHP. It gives
// up after a while, and what is left then disturbs the warming up only.
func (r *servers) calm(ctx context.Context) error {
	const longest, resting = time.Minute, "max(phpfpm_active_processes + phpfpm_listen_queue) <= 1"
	for begun := time.Now(); time.Since(begun) < longest; {
		at, err := r.prometheus.Query(resting)
		if err != nil {
			return err
		}
		if len(at) > 0 {
			return nil
		}
		if err := pause(ctx, time.Second); err != nil {
			return err
		}
	}
	return nil
}

// calibrate finds about how many clients saturate a setup: those that keep its capacity busy while each of them thinks
// and waits for a page as long as a single one does.
func calibrate(ctx context.Context, o options, s setup, st *store) error {
	r, err := start(o, s.grown(""), filepath.Join(o.output, "state", s.name+"+"))
	if err != nil {
		return err
	}
	defer r.stop()
	const many, few = 16, 10 * time.Millisecond
	most, _, err := r.load(ctx, "most", many, few, o.calibration)
	if err != nil {
		return err
	}
	_, alone, err := r.load(ctx, "single", 1, 2*few, o.calibration/2)
	if err != nil {
		return err
	}
	if most <= 0 {
		return fmt.Errorf("%s answers nothing", s.name)
	}
	saturating := most * (o.think.Seconds() + alone)
	return st.calibrated(s.name, most, around(saturating, o.levels))
}

// load runs a load to its end and tells pages per second and the seconds that each took, without its first half.
func (r *servers) load(ctx context.Context, name string, clients int, think, length time.Duration) (throughput,
	mean float64, err error) {
	c, err := r.drive(name, clients, think, length+2*time.Second)
	if err != nil {
		return 0, 0, err
	}
	defer c.Stop()
	before, after, err := c.between(ctx, length/2, length/2, func() error { return nil })
	if err != nil {
		return 0, 0, err
	}
	throughput, mean, _ = after.since(before)
	return throughput, mean, nil
}

// between waits, and tells what the load has counted at the begin and at the end of a time; begin is called there, too.
func (c *crowd) between(ctx context.Context, warm, length time.Duration, begin func() error) (before, after outcome,
	err error) {
	if err := pause(ctx, warm); err != nil {
		return before, after, err
	}
	// The first page of a slow setup may take longer than warming up does.
	if before, err = c.outcome(); err != nil {
		before = outcome{}
	}
	if err := errors.Join(begin(), pause(ctx, length), c.Ended()); err != nil {
		return before, after, err
	}
	after, err = c.outcome()
	return before, after, err
}

// measurePoint loads the servers with so many clients and takes the load's and all exporters' values.
func (r *servers) measurePoint(ctx context.Context, next point, features []feature) (measured, error) {
	m := measured{point: next, begun: time.Now()}
	c, err := r.drive("load", next.clients, r.think, r.warm+r.measure+5*time.Second)
	if err != nil {
		return m, err
	}
	defer c.Stop()
	var first usage
	before, after, err := c.between(ctx, r.warm, r.measure, func() (err error) {
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
	m.values, err = ask(ctx, r.prometheus.API, features, time.Now())
	return m, err
}

// pause waits, or tells that somebody has had enough.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return errEnough
	case <-time.After(d):
		return nil
	}
}
