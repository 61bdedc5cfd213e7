// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

//go:embed waits.py
var waitsClient string

var (
	calls   = regexp.MustCompile(`cmdstat_(\w+)[^:]*:calls=(\d+).*failed_calls=(\d+)`)
	refused = regexp.MustCompile(`total_error_replies:(\d+)`)
)

// onPurpose are the commands of the client that wait on purpose.
var onPurpose = map[string]bool{"blpop": true, "brpop": true, "blmove": true, "bzpopmin": true, "xread": true,
	"wait": true}

// startWaits is a Redis whose clients wait for one another: workers for jobs, readers for records.
func startWaits(b *bed.Bed, programs, python string) (*subject, error) {
	port, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	s := &subject{name: "redis", port: port}
	if python == "" {
		return s, nil
	}
	script, err := b.Write("waits.py", waitsClient)
	if err != nil {
		return nil, err
	}
	info, err := redisServer(b, programs+"/usr/bin/", port, false)
	if err != nil {
		return nil, err
	}
	count := func(waits bool) (int64, error) {
		out, err := info("everything")
		if err != nil {
			return 0, err
		}
		return countCalls(out, waits), nil
	}
	if err := bed.WaitFor(10*time.Second, func() error { _, err := count(false); return err }); err != nil {
		return nil, err
	}
	s.loads = append(s.loads, load{
		name: "workers that wait for jobs, redis-py", run: func() error {
			_, err := bed.Run(python, script, fmt.Sprint(port))
			return err
		},
		answered: func() (int64, error) { return count(false) }, source: "its calls and refusals",
		waits: func() (int64, error) { return count(true) },
	})
	return s, nil
}

// countCalls adds up the commands of one kind. Commands that the server refuses before it runs them (a new client
// sends an old server a command that it does not know) are no calls.
func countCalls(info string, waits bool) (n int64) {
	number := func(s string) int64 { i, _ := strconv.ParseInt(s, 10, 64); return i } // digits, by the expression
	for _, m := range calls.FindAllStringSubmatch(info, -1) {
		if onPurpose[m[1]] == waits && m[1] != "info" { // info is the command that asks here
			n += number(m[2])
		}
		if !waits {
			n -= number(m[3])
		}
	}
	if m := refused.FindStringSubmatch(info); m != nil && !waits {
		n += number(m[1])
	}
	return n
}
