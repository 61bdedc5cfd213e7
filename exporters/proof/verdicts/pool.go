// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math"
	"syscall"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

const (
	// poolSize is the small pool's, in connections.
	poolSize = 6
	// poolShare is what can be served through it, of what the application can do: more than the steady load, and less
	// than a burst.
	poolShare = 0.6
	// changeLength is how long a new application server takes to start and to become quick.
	changeLength = 25 * time.Second
)

// smallPool starts the application server anew with so few connections that they are a limit under a burst: each is
// held for a while by a page that does not use it.
func (s *stack) smallPool() error {
	hold := int(math.Round(1000 * poolSize / (poolShare * s.capacity)))
	return s.change(map[string]string{"POOL": fmt.Sprint(poolSize), "HOLD": fmt.Sprint(hold)})
}

// largePool starts it as it was.
func (s *stack) largePool() error {
	return s.change(map[string]string{"POOL": boardParams["POOL"], "HOLD": boardParams["HOLD"]})
}

// change starts the application server anew with other parameters.
func (s *stack) change(params map[string]string) error {
	began := time.Now()
	p := s.parts["tomcat"]
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
	for name, value := range params {
		s.params[name] = value
	}
	if err := s.startTomcat(); err != nil {
		return err
	}
	if err := bed.WaitFor(changeLength, func() error { return s.answers("/StoriesOfTheDay") }); err != nil {
		return err
	}
	time.Sleep(changeLength - min(time.Since(began), changeLength))
	return nil
}
