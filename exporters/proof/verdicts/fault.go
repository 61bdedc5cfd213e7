// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"syscall"
	"time"
)

// running starts an option of the application's start.sh that runs beside the load, until the run ends.
func running(what string) func(*stack) error {
	return func(s *stack) error {
		_, err := s.bed.Start(what, s.command(others(), s.script("start.sh"), what)...)
		return err
	}
}

// stops stops all processes of a tier or a worker again and again, and lets them go on.
type stops struct {
	tier        string
	every       time.Duration
	length      time.Duration
	from, lasts time.Duration // from when on, and for how long; to the end of the run when lasts is 0
}

// episode is one stop that happened.
type episode struct {
	Tier  string    `json:"tier"`
	Begin time.Time `json:"begin"`
	End   time.Time `json:"end"`
}

// run makes the stops until the context ends and reports each when it is over. The processes are looked up every
// time: workers come and go.
func (f stops) run(ctx context.Context, s *stack, tell func(episode)) {
	if !sleep(ctx, f.from) {
		return
	}
	if f.lasts > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.lasts)
		defer cancel()
	}
	tick := time.NewTicker(f.every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		pids := s.pids(f.tier)
		e := episode{Tier: f.tier, Begin: time.Now()}
		send(pids, syscall.SIGSTOP)
		time.Sleep(f.length)
		send(pids, syscall.SIGCONT)
		e.End = time.Now()
		tell(e)
	}
}

func send(pids []int, s syscall.Signal) {
	for _, pid := range pids {
		_ = syscall.Kill(pid, s) // a worker that has ended needs no signal
	}
}
