// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// hogs are the neighbours that a fault starts: more than one, because the kernel shares a processor among threads.
const (
	hogs    = 6
	hogName = "nightly"
)

// hogProgram writes the program that a neighbour runs, which computes all the time.
func (s *stack) hogProgram() (path string, err error) {
	path, err = s.bed.Write(hogName, "#!/bin/sh\nwhile :; do :; done\n")
	if err != nil {
		return "", err
	}
	return path, os.Chmod(path, 0o755)
}

// hog starts neighbours on the processor of the application server, with a higher priority than it has.
func (s *stack) hog(d time.Duration) error {
	script, err := s.hogProgram()
	if err != nil {
		return err
	}
	for i := range hogs {
		p, err := s.bed.Start(fmt.Sprintf("hog%d", i), "nice", "-n", "-20", "taskset", "-c",
			fmt.Sprint(middle()), script)
		if err != nil {
			return err
		}
		defer p.Stop()
	}
	time.Sleep(d)
	return nil
}

// urgentLength and urgentRest are the length of a neighbour's burst that nothing can interrupt, and the time until
// the next.
const (
	urgentLength = 150 * time.Millisecond
	urgentRest   = 350 * time.Millisecond
)

// urgent starts a neighbour with real-time priority on the processor of the application server, which computes in
// bursts.
func (s *stack) urgent(d time.Duration) error {
	script, err := s.hogProgram()
	if err != nil {
		return err
	}
	p, err := s.bed.Start("urgent", "chrt", "-f", "1", "taskset", "-c", fmt.Sprint(middle()), script)
	if err != nil {
		return err
	}
	defer func() {
		send([]int{p.PID}, syscall.SIGCONT) // otherwise it would not end
		_ = p.Stop()
	}()
	for end := time.Now().Add(d); time.Now().Before(end); {
		time.Sleep(urgentLength)
		send([]int{p.PID}, syscall.SIGSTOP)
		if err := p.Ended(); err != nil {
			return fmt.Errorf("%w: no real-time priority: %w", errNotHere, err)
		}
		time.Sleep(urgentRest)
		send([]int{p.PID}, syscall.SIGCONT)
	}
	return nil
}

// beset starts neighbours on every processor, for as long as the scenario lasts, at the priority of the servers.
func beset(s *stack) error { return s.besetBy() }

// besetBy starts them by a command, to which the neighbours' program is appended.
func (s *stack) besetBy(command ...string) error {
	script, err := s.hogProgram()
	if err != nil {
		return err
	}
	for i := range hogs * len(bed.Processors()) {
		argv := slices.Concat(s.first(bed.Processors()[i/hogs]), command, []string{script})
		if _, err := s.bed.Start(fmt.Sprintf("hog%d", i), argv...); err != nil {
			return err
		}
	}
	return nil
}

// besets are scenarios of all applications at low load, beside other programs that take the processors.
func besets(all []scenario) (out []scenario) {
	for _, c := range all {
		if c.name == "healthy-30" {
			// At a higher priority neighbours would hardly leave anything to the exporters.
			c.name, c.beside, c.alike = "neighbour", beset, true
			c.expect = always("single_bottleneck/*/noisy_neighbour").or("healthy")
			out = append(out, c)
		}
	}
	return out
}
