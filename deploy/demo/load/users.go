// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

// run drives all users until the duration is over or the context ends, and
// returns what was measured after the ramp.
func run(ctx context.Context, c config) summary {
	if c.duration > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.duration)
		defer cancel()
	}
	client := newClient(c)
	think := newThinker(c.think, c.users, c.burstiness)
	think.even = c.even
	go think.modulate(ctx, rand.New(rand.NewPCG(c.seed, 0)))

	begin := time.Now()
	stats := newStats(begin)
	var users sync.WaitGroup
	for i := range c.users {
		users.Add(1)
		go func() {
			defer users.Done()
			r := rand.New(rand.NewPCG(c.seed, uint64(i)+1))
			u := user{config: c, client: client, think: think, random: r, stats: stats,
				begin: begin, rank: float64(i) / float64(c.users), memory: make(memory)}
			// Starting at the same moment would keep users in step.
			if sleep(ctx, think.first(r)) {
				u.browse(ctx)
			}
		}()
	}
	// The ramp is no part of the measurement: forget it.
	time.AfterFunc(c.crowd.ramp, func() { stats.reset(time.Now()) })
	// The result is taken at the end of the load, before the last pages trickle in.
	result := report(ctx, c, stats)
	users.Wait()
	return result
}

// newClient keeps one connection per user, as browsers do.
func newClient(c config) *http.Client {
	return &http.Client{
		Timeout: c.timeout,
		Transport: &http.Transport{
			DialContext: dialer(c).DialContext,
			// The server is this machine's, and whoever names another one says so: a certificate of its own will do.
			TLSClientConfig:     &tls.Config{InsecureSkipVerify: true},
			ForceAttemptHTTP2:   c.http2,
			MaxIdleConns:        c.users,
			MaxIdleConnsPerHost: c.users,
			IdleConnTimeout:     50 * time.Second,
			DisableCompression:  true,
		},
	}
}

// user is one emulated reader.
type user struct {
	config config
	client *http.Client
	think  *thinker
	random *rand.Rand
	stats  *stats
	begin  time.Time // of the run
	rank   float64   // place in the order of joining, 0 to 1
	memory memory
}

// browse is the life of one user.
func (u user) browse(ctx context.Context) {
	base := u.config.target.Scheme + "://" + u.config.target.Host
	for v := u.config.firstVisit(); u.config.crowd.wait(ctx, u.begin, u.rank); v = v.next(u.random) {
		asked := time.Now()
		err := u.fetch(ctx, base, v.path(u.random))
		if ctx.Err() != nil {
			return // cut off by the end of the run: neither completed nor failed
		}
		u.stats.add(v.at, time.Since(asked), err)
		if !sleep(ctx, u.think.draw(u.random)) {
			return
		}
	}
}

// form begins a path that is asked for by posting a form: what follows its question mark.
const form = "POST "

// request is how a path of a site is asked for.
func (u user) request(ctx context.Context, base, path string) (*http.Request, error) {
	if u.config.body > 0 {
		body := paced(io.LimitReader(zeros{}, u.config.body), u.pace(u.config.sendRate))
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+path, body)
		if err == nil {
			r.ContentLength = u.config.body
		}
		return r, err
	}
	posted, isForm := strings.CutPrefix(path, form)
	if !isForm {
		return http.NewRequestWithContext(ctx, http.MethodGet, base+path, nil)
	}
	to, fields, _ := strings.Cut(posted, "?")
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, base+to, strings.NewReader(fields))
	if err == nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return r, err
}

// fetch asks for a page, with what the user remembers, and reads it to its end.
func (u user) fetch(ctx context.Context, base, path string) error {
	path, wanted := u.memory.fill(path)
	request, err := u.request(ctx, base, path)
	if err != nil {
		return err
	}
	response, err := u.client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer := paced(response.Body, u.pace(u.config.readRate))
	if response.StatusCode != http.StatusOK {
		if _, err := io.Copy(io.Discard, answer); err != nil {
			return err
		}
		return fmt.Errorf("status %s", response.Status)
	}
	return u.memory.read(answer, wanted)
}

// report prints a line per interval with that interval's figures and keeps the
// summary file fresh, until the run ends. It returns the summary of the run.
func report(ctx context.Context, c config, stats *stats) summary {
	var last figures
	for c.every > 0 && sleep(ctx, c.every) {
		now := time.Now()
		last = stats.endInterval(now)
		fmt.Println(now.UTC().Format(time.TimeOnly), last)
		stats.summary(now, c, last).keep(c.summaryFile)
	}
	<-ctx.Done()
	result := stats.summary(time.Now(), c, last)
	result.keep(c.summaryFile)
	return result
}

// keep writes the summary; a disk that is full does not end the load.
func (s summary) keep(name string) {
	if err := s.write(name); err != nil {
		fmt.Fprintln(os.Stderr, "nstar_load:", err)
	}
}

// write replaces the file in one step, so that a reader never sees half of it.
func (s summary) write(name string) error {
	if name == "" {
		return nil
	}
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(name+".new", append(data, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(name+".new", name)
}
