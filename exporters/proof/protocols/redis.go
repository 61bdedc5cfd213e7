// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

var processed = regexp.MustCompile(`total_commands_processed:(\d+)`)

// redisServer starts a Redis that stores nothing on disk, and listens at a port and at a Unix socket. It returns
// how to ask for a section of its figures: at the one of the two that is not measured.
func redisServer(b *bed.Bed, bin string, port int, atSocket bool) (info func(section string) (string,
	error), err error) {
	socket := b.Path("redis.sock")
	_, err = b.Start("redis-server", bin+"redis-server", "--port", strconv.Itoa(port), "--bind", "127.0.0.1",
		"--unixsocket", socket, "--save", "", "--dir", b.Dir)
	where := []string{"-s", socket}
	if atSocket {
		where = []string{"-h", "127.0.0.1", "-p", strconv.Itoa(port)}
	}
	return func(section string) (string, error) {
		return bed.Run(append(append([]string{bin + "redis-cli"}, where...), "info", section)...)
	}, err
}

func startRedis(b *bed.Bed, programs, _ string) (*subject, error) {
	return redisSubject(b, programs, false)
}

func startRedisAtSocket(b *bed.Bed, programs, _ string) (*subject, error) {
	return redisSubject(b, programs, true)
}

func redisSubject(b *bed.Bed, programs string, atSocket bool) (*subject, error) {
	port, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	bin := programs + "/usr/bin/"
	info, err := redisServer(b, bin, port, atSocket)
	if err != nil {
		return nil, err
	}
	asked := int64(0) // this is a command, too, and counted when the next one asks
	answered := func() (int64, error) {
		out, err := info("stats")
		if err != nil {
			return 0, err
		}
		m := processed.FindStringSubmatch(out)
		if m == nil {
			return 0, fmt.Errorf("no total_commands_processed: %q", out)
		}
		n, err := strconv.ParseInt(m[1], 10, 64)
		n -= asked
		asked++
		return n, err
	}
	if err := bed.WaitFor(10*time.Second, func() error { _, err := answered(); return err }); err != nil {
		return nil, err
	}
	s := &subject{name: "redis", port: port}
	where := []string{"-h", "127.0.0.1", "-p", strconv.Itoa(port)}
	if atSocket {
		s.socket = b.Path("redis.sock")
		where = []string{"-s", s.socket}
	}
	for _, args := range [][]string{
		{"-n", "2000", "-c", "8", "-t", "set,get"},
		{"-n", "8000", "-c", "8", "-P", "16", "-t", "set,get,incr,lpush"},
		{"-n", "8000", "-c", "2", "-P", "500", "-t", "set,get,hset,lrange_100"},
		{"-n", "2000", "-c", "4", "-P", "7", "-d", "20000", "-t", "set,get"},
	} {
		s.loads = append(s.loads, load{name: "redis-benchmark " + strings.Join(args, " "), run: func() error {
			_, err := bed.Run(append(append([]string{bin + "redis-benchmark", "-q"}, where...), args...)...)
			return err
		}, answered: answered, source: "its commands processed"})
	}
	s.kinds = []string{"Redis GET", "Redis SET"}
	s.byKind = func() (map[string]int64, error) {
		out, err := info("commandstats")
		counts := make(map[string]int64)
		for _, m := range calls.FindAllStringSubmatch(out, -1) {
			n, _ := strconv.ParseInt(m[2], 10, 64) // digits, by the expression
			counts[strings.ToUpper(m[1])] = n
		}
		asked++ // a command, too
		return counts, err
	}
	return s, nil
}
