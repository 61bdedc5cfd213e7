// SPDX-License-Identifier: Apache-2.0

// Command nstar_load is the closed-loop load generator of the demo: emulated
// users who ask for a page of the bulletin board, think, and ask for the next.
package main

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kingpin/v2"
)

func main() {
	var c config
	app := kingpin.New("nstar_load",
		"Closed-loop load on the bulletin board of the Nstar demo, or on given paths of another site.")
	app.Flag("url", "Base URL of the bulletin board.").Default("http://127.0.0.1:18080").URLVar(&c.target)
	app.Flag("path",
		"Ask for this path instead of the board's pages; repeatable, drawn at random. With POST before it, what "+
			"follows the question mark is a form. {&since=next_batch} is replaced by that argument, with the member "+
			"next_batch of the last JSON object that this user was answered with.").StringsVar(&c.paths)
	app.Flag("read-rate", "Bytes of an answer that a user reads in a second, half of it the first and twice the "+
		"last; 0 for any number.").Int64Var(&c.readRate)
	app.Flag("send-rate", "The same of the body of a request.").Int64Var(&c.sendRate)
	app.Flag("body", "Bytes to post to every path, instead of a form.").Int64Var(&c.body)
	app.Flag("http2", "Ask in HTTP/2 where an https server offers it.").BoolVar(&c.http2)
	app.Flag("users", "Number of emulated users.").Default("80").IntVar(&c.users)
	app.Flag("think", "Mean think time of a user between two pages.").Default("100ms").DurationVar(&c.think)
	app.Flag("even", "Think for the mean and a quarter more or less, instead of exponentially.").BoolVar(&c.even)
	app.Flag("duration", "How long to run; 0 until interrupted.").Default("30m").DurationVar(&c.duration)
	app.Flag("ramp", "Time over which the users join, one by one.").Default("0s").DurationVar(&c.crowd.ramp)
	app.Flag("lull-every", "Time from one lull to the next; 0 for none.").Default("0s").DurationVar(&c.crowd.every)
	app.Flag("lull", "Length of a lull, in which most users leave and come back one by one.").Default(
		"12s").DurationVar(&c.crowd.lull)
	app.Flag("burstiness", "Index of dispersion of the arrivals; 1 means independent users.").Default(
		"1").Float64Var(&c.burstiness)
	app.Flag("timeout", "A page that takes longer is an error.").Default("20s").DurationVar(&c.timeout)
	app.Flag("seed", "Seed of all random choices.").Default("1").Uint64Var(&c.seed)
	app.Flag("report-every", "Time between progress lines; 0 for none.").Default("10s").DurationVar(&c.every)
	app.Flag("summary-file", "File that always holds the summary so far, as JSON.").StringVar(&c.summaryFile)
	remote := app.Flag("allow-remote", "Allow a target that is not on this machine.").Bool()
	kingpin.MustParse(app.Parse(os.Args[1:]))

	if err := c.check(*remote); err != nil {
		fmt.Fprintln(os.Stderr, "nstar_load:", err)
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	summary := run(ctx, c)
	fmt.Print(summary)
	if summary.Completions == 0 {
		fmt.Fprintln(os.Stderr, "nstar_load: not one page was completed; is the server up?")
		os.Exit(1)
	}
}

// config is what the flags say.
type config struct {
	target      *url.URL
	paths       []string // of another site than the board
	readRate    int64
	sendRate    int64
	body        int64
	http2       bool
	users       int
	think       time.Duration
	even        bool
	duration    time.Duration
	crowd       crowd
	timeout     time.Duration
	every       time.Duration
	burstiness  float64
	seed        uint64
	summaryFile string
}

// check refuses what cannot work, and targets elsewhere: a load generator with
// a wrong address is an attack.
func (c config) check(remote bool) error {
	switch {
	case c.target.Scheme != "http" && c.target.Scheme != "https" || c.target.Hostname() == "":
		return fmt.Errorf("--url must be http://host[:port] or https://host[:port], not %q", c.target)
	case c.readRate < 0 || c.sendRate < 0 || c.body < 0:
		return fmt.Errorf("rates and bodies must not be negative")
	case slices.ContainsFunc(c.paths,
		func(p string) bool { return !strings.HasPrefix(strings.TrimPrefix(p, form), "/") }):
		return fmt.Errorf("--path must begin with /, or with %s/", form)
	case c.users < 1:
		return fmt.Errorf("--users must be at least 1, not %d", c.users)
	case c.think < 0 || c.duration < 0 || c.crowd.ramp < 0 || c.crowd.every < 0 || c.crowd.lull < 0 || c.timeout <= 0 ||
		c.every < 0:
		return fmt.Errorf("durations must not be negative")
	case c.duration > 0 && c.crowd.ramp >= c.duration:
		return fmt.Errorf("--ramp %s must be shorter than --duration %s", c.crowd.ramp, c.duration)
	case c.crowd.every > 0 && c.crowd.lull >= c.crowd.every:
		return fmt.Errorf("--lull %s must be shorter than --lull-every %s", c.crowd.lull, c.crowd.every)
	case c.burstiness < 1:
		return fmt.Errorf("--burstiness must be at least 1, not %g", c.burstiness)
	case c.burstiness > 1 && c.even:
		return fmt.Errorf("--burstiness and --even contradict each other: drop one of them")
	case c.burstiness > 1 && c.think == 0:
		return fmt.Errorf("--burstiness modulates the think time, so --think must not be 0")
	}
	if remote || isLoopback(c.target.Hostname()) {
		return nil
	}
	return fmt.Errorf("%s is not a loopback address; say --allow-remote if that machine is yours to load",
		c.target.Hostname())
}

func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
