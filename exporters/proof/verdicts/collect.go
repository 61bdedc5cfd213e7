// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"net"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// collect asks the JVM of a tier for full collections that take a share of the time together, however long one of them
// is, until the JVM ends.
func collect(tier string, share float64) func(*stack) error {
	return func(s *stack) error {
		pid := s.parts[tier].PID
		// jcmd has the JVM listen; asking it each time would cost a JVM more a second.
		if _, err := bed.Run("jcmd", fmt.Sprint(pid), "VM.version"); err != nil {
			return err
		}
		go func() {
			for {
				begin := time.Now()
				if err := collectOnce(pid); err != nil {
					return // it ended
				}
				time.Sleep(time.Duration(float64(time.Since(begin)) * (1/share - 1)))
			}
		}()
		return nil
	}
}

// collectOnce makes a listening JVM collect its garbage and waits until that is done. The words are those of HotSpot's
// attach mechanism (src/hotspot/share/services/attachListener.cpp): version, command, three arguments.
func collectOnce(pid int) error {
	c, err := net.Dial("unix", fmt.Sprintf("/tmp/.java_pid%d", pid))
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := io.WriteString(c, "1\x00jcmd\x00GC.run\x00\x00\x00"); err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, c)
	return err
}
