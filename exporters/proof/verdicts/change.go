// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"slices"
	"syscall"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// changeLength is how long new servers take to start and to become quick.
const changeLength = 25 * time.Second

// change restarts tiers of the board with other parameters, the front tiers last. All of them end before one starts.
func (s *stack) change(to params, tiers ...string) error {
	began := time.Now()
	for _, tier := range slices.Backward(tiers) {
		p := s.parts[tier]
		if err := syscall.Kill(p.PID, syscall.SIGTERM); err != nil {
			return err
		}
		if err := bed.WaitFor(changeLength, func() error {
			if p.Ended() == nil {
				return fmt.Errorf("%s still runs", p.Name)
			}
			return nil
		}); err != nil {
			return err
		}
	}
	for _, name := range changed {
		s.params[name] = boardParams[name]
		if value, ok := to[name]; ok {
			s.params[name] = value
		}
	}
	start := map[string]func() error{"httpd": s.startHTTPD, "tomcat": s.startTomcat,
		"mariadb": func() error { return s.database("mariadb", s.core("mariadb")) }}
	for _, tier := range tiers {
		if err := start[tier](); err != nil {
			return err
		}
	}
	if err := bed.WaitFor(changeLength, func() error { return s.answers("/StoriesOfTheDay") }); err != nil {
		return err
	}
	time.Sleep(changeLength - min(time.Since(began), changeLength))
	return nil
}

// changed are the parameters that a change sets.
var changed = []string{"POOL", "HOLD", "WORKERS", "OUTSIDE", "MARIADB_OPTIONS"}
