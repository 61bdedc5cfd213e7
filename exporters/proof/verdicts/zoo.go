// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// errNotHere is a fault that this machine can't make.
var errNotHere = errors.New("not on this machine")

// lock locks the board's tables against their readers, once in each haltEvery. MariaDB itself reports the time, because
// the client and its connection take time.
func (s *stack) lock(d time.Duration) error {
	var script strings.Builder
	for range d / haltEvery {
		length := s.halts.length()
		fmt.Fprintf(&script,
			"LOCK TABLES authors WRITE, stories WRITE, comments WRITE; SELECT UNIX_TIMESTAMP(NOW(6)); "+
				"DO SLEEP(%.3f); SELECT UNIX_TIMESTAMP(NOW(6)); UNLOCK TABLES; DO SLEEP(%.3f);\n",
			length.Seconds(), (haltEvery - length).Seconds())
	}
	file, err := s.bed.Write("locks.sql", script.String())
	if err != nil {
		return err
	}
	said, err := bed.Run(s.command(others(), "mariadb", "--no-defaults", "--user="+s.account, "--skip-column-names",
		"--batch", "--socket="+filepath.Join(s.dir, "mariadb/socket"), "bboard", "-e", "source "+file)...)
	if err != nil {
		return err
	}
	all, err := locked(said)
	for _, e := range all {
		s.halts.add(e)
	}
	return err
}

// locked reads when tables were locked and unlocked, in turns, in seconds since 1970.
func locked(said string) (all []episode, err error) {
	var times []time.Time
	for _, line := range strings.Fields(said) {
		seconds, err := strconv.ParseFloat(line, 64)
		if err != nil {
			return nil, fmt.Errorf("MariaDB says %q instead of the time: %w", line, err)
		}
		times = append(times, time.UnixMicro(int64(1e6*seconds)))
	}
	for pair := range slices.Chunk(times, 2) {
		if len(pair) < 2 {
			return nil, fmt.Errorf("MariaDB says the time %d times, so a lock has no end", len(times))
		}
		all = append(all, episode{"mariadb", pair[0], pair[1]})
	}
	return all, nil
}

// heavy is a load of more expensive pages that the application can follow: no fault.
func heavy(s *stack, d time.Duration) error {
	g, err := s.drive("heavy", load{users: max(1, int(0.1*s.capacity)), think: time.Second, pages: dearPages}, d)
	if err != nil {
		return err
	}
	_, err = g.finish(d + 30*time.Second)
	return err
}

// dearPages cost MariaDB and Tomcat several times an average page.
var dearPages = []string{"/Search?word=lom&id=1000", "/Search?word=tar&id=2000", "/StoriesOfTheDay"}

// sync writes to the database's disk and waits for it, again and again. The board reads from memory: no fault there.
func (s *stack) sync(d time.Duration) error { return s.write(d, 64<<10, true) }

// flush writes a large file at once, which the kernel then brings to the disk.
func (s *stack) flush(d time.Duration) error { return s.write(d, 256<<20, false) }

// write writes this many bytes per second to the database's disk for a while, and syncs them at once or at the end of
// each second.
func (s *stack) write(d time.Duration, bytes int, atOnce bool) error {
	dir := filepath.Join(s.dir, "mariadb")
	var fs unix.Statfs_t
	if err := unix.Statfs(dir, &fs); err != nil {
		return err
	}
	if fs.Type == unix.TMPFS_MAGIC {
		return fmt.Errorf("%w: %s is in memory", errNotHere, dir)
	}
	file, size, count, how := filepath.Join(dir, "written"), "1M", bytes>>20, "conv=fsync"
	if atOnce {
		size, count, how = "4k", bytes>>12, "oflag=dsync"
	}
	script := fmt.Sprintf("while :; do dd if=/dev/zero of=%[1]s bs=%s count=%d %s 2>/dev/null; sleep 0.5; done", file,
		size, count, how)
	p, err := s.bed.Start("writer", "nice", "-n", "19", "sh", "-c", script)
	if err != nil {
		return err
	}
	time.Sleep(d)
	_ = p.Stop() // it has no other end
	return os.RemoveAll(file)
}
