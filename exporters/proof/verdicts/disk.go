// SPDX-License-Identifier: Apache-2.0

package main

import "time"

// slowShare is the share of MariaDB's reads that a slow disk can do.
const slowShare = 0.3

// partlyFromDisk makes MariaDB read a part of the requested data from its disk: the load is what it can do from
// memory. Reading most of the data, as in the truth table's db-disk, would need more processor time than there
// is.
var partlyFromDisk = params{"MARIADB_OPTIONS": "--innodb-buffer-pool-size=12M --innodb-flush-method=O_DIRECT"}

// smallMemory restarts MariaDB, so that it reads from its disk, and Tomcat, which keeps connections to it.
func (s *stack) smallMemory() error { return s.change(partlyFromDisk, "mariadb", "tomcat") }

// largeMemory starts both as they were.
func (s *stack) largeMemory() error { return s.change(boardParams, "mariadb", "tomcat") }

// slowReads makes MariaDB's disk slow for a while.
func (s *stack) slowReads(d time.Duration) error {
	if err := slowDisk("mariadb", slowShare)(s); err != nil {
		return err
	}
	time.Sleep(d)
	s.ungroup()
	return nil
}
