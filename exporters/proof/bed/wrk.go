// SPDX-License-Identifier: Apache-2.0

package bed

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"time"
)

// Wrk is a bounded load of wrk.
type Wrk struct {
	Threads, Connections int
	Duration             time.Duration
	Script               string   // Lua, optional
	Headers              []string // more lines of each request's head
	Args                 []string
	URL                  string
	Prefix               []string // put before its command line
}

// Result is what wrk counted.
type Result struct {
	Requests  int64
	PerSecond float64
	Errors    string        // socket errors or answers that were not 2xx or 3xx
	CPU       time.Duration // that wrk itself took
}

var (
	wrkRequests = regexp.MustCompile(`(\d+) requests in`)
	wrkRate     = regexp.MustCompile(`Requests/sec: +([\d.]+)`)
	wrkErrors   = regexp.MustCompile(`(Socket errors: .*|Non-2xx.*)`)
)

// Run runs wrk to its end.
func (w Wrk) Run() (Result, error) {
	argv := []string{"wrk", "-t", strconv.Itoa(w.Threads), "-c", strconv.Itoa(w.Connections),
		"-d", fmt.Sprintf("%ds", int(w.Duration.Seconds())), "--timeout", "10s"}
	if w.Script != "" {
		argv = append(argv, "-s", w.Script)
	}
	for _, h := range w.Headers {
		argv = append(argv, "-H", h)
	}
	argv = append(append(argv, w.URL), w.Args...)
	out, cpu, err := run(append(slices.Clone(w.Prefix), argv...)...)
	if err != nil {
		return Result{}, err
	}
	r, err := parseWrk(out)
	r.CPU = cpu
	return r, err
}

func parseWrk(out string) (Result, error) {
	n, rate := wrkRequests.FindStringSubmatch(out), wrkRate.FindStringSubmatch(out)
	if n == nil || rate == nil {
		return Result{}, fmt.Errorf("wrk: no counts in its output: %q", out)
	}
	var r Result
	r.Requests, _ = strconv.ParseInt(n[1], 10, 64)
	r.PerSecond, _ = strconv.ParseFloat(rate[1], 64)
	r.Errors = wrkErrors.FindString(out)
	return r, nil
}

// Pace is the beginning of a script for wrk whose users think: args are the seconds after which no new request is sent
// (so that none is under way when wrk ends) and the longest think time in milliseconds; a third one is in large. The
// rest of the script defines request().
const Pace = `
local stop, longest, large = 0, 0, "/"
local threads = 0
function setup(thread) threads = threads + 1; thread:set("id", threads) end
function init(args)
  math.randomseed(7919 * id)
  stop = os.time() + tonumber(args[1])
  longest = tonumber(args[2])
  large = args[3]
end
function delay()
  if os.time() >= stop then return 3600000 end
  return math.random(0, longest)
end
`

// Thinking is a script for wrk: args are those of Pace, the third one the page to ask for at every 20th request.
const Thinking = Pace + `
local n = 0
function request()
  n = n + 1
  if n % 20 == 0 then return wrk.format("GET", large) end
  return wrk.format("GET", "/small")
end
`
