// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math"
	"sync"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/bed/group"
)

// Weights of the databases' control groups: 100 would be the usual, and is what other programs have. The ratio of
// preferred to other is the highest that both versions of control groups allow with room for others below.
const (
	alike     = 2500
	preferred = 10000
	other     = 625
)

// The averaging scheduler of the paper's hypervisor: the machine that used less over some seconds comes first. Linux
// shares equally at any moment, whichever used less before.
const (
	averagedOver = 3 * time.Second
	decideEvery  = 100 * time.Millisecond
	aboutEqual   = 0.05
)

// scheduler divides the shared processor between the databases of two boards.
type scheduler struct {
	a, b   *stack
	groups [2]*group.Group
	done   chan struct{}
	ended  sync.WaitGroup

	mu        sync.Mutex
	averaging bool
}

// newScheduler puts each database into a control group and shares alike.
func newScheduler(a, b *stack) (*scheduler, error) {
	s := &scheduler{a: a, b: b, done: make(chan struct{})}
	for i, stack := range []*stack{a, b} {
		g, err := group.Of("cpu", stack.name, stack.pids("mariadb"))
		if err != nil {
			s.remove()
			return nil, err
		}
		s.groups[i] = g
	}
	if err := s.weights(alike, alike); err != nil {
		s.remove()
		return nil, err
	}
	s.ended.Add(1)
	go s.run()
	return s, nil
}

func (s *scheduler) close() {
	close(s.done)
	s.ended.Wait()
	s.remove()
}

func (s *scheduler) remove() {
	for _, g := range s.groups {
		if g != nil {
			g.Remove()
		}
	}
}

// prefer switches between the averaging scheduler and Linux's own.
func (s *scheduler) prefer(averaging bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.averaging = averaging
	_ = s.weights(alike, alike)
}

func (s *scheduler) weights(a, b int) error {
	if err := s.groups[0].Weight(a); err != nil {
		return err
	}
	return s.groups[1].Weight(b)
}

// seconds are of processor time.
type seconds struct{ a, b float64 }

// used is the processor time of both databases so far.
func (s *scheduler) used() (out seconds, err error) {
	if out.a, err = bed.CPUSeconds(s.a.parts["mariadb"].PID); err != nil {
		return out, err
	}
	out.b, err = bed.CPUSeconds(s.b.parts["mariadb"].PID)
	return out, err
}

// run prefers the database that used less lately, while it is asked to.
func (s *scheduler) run() {
	defer s.ended.Done()
	every := time.NewTicker(decideEvery)
	defer every.Stop()
	last, _ := s.used()
	var mean seconds
	keep := math.Exp(-decideEvery.Seconds() / averagedOver.Seconds())
	for {
		select {
		case <-s.done:
			return
		case <-every.C:
		}
		now, err := s.used()
		if err != nil {
			continue // it ends
		}
		mean.a = keep*mean.a + now.a - last.a
		mean.b = keep*mean.b + now.b - last.b
		last = now
		s.mu.Lock()
		if s.averaging {
			_ = s.weights(preference(mean)) // a weight that can't be set now is set at the next turn
		}
		s.mu.Unlock()
	}
}

// preference are the weights of both.
func preference(mean seconds) (a, b int) {
	switch {
	case mean.a < (1-aboutEqual)*mean.b:
		return preferred, other
	case mean.b < (1-aboutEqual)*mean.a:
		return other, preferred
	}
	return alike, alike
}
