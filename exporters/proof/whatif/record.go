// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/api"

	"github.com/nstar-project/nstar/exporters/nstartool/whatif"
	"github.com/nstar-project/nstar/exporters/nstartool/whatif/recorded"
)

// recording is the measurement of a setup: its windows, and the load generator's results over the same time.
type recording struct {
	Trace whatif.Trace
	Load  struct {
		Throughput float64 `json:"pages_per_second"`
		Mean       float64 `json:"mean_seconds"`
		Errors     uint64  `json:"errors"`
	}
}

// prometheus of the demo: deploy/demo/params.sh.
const prometheus = "http://127.0.0.1:19090"

// env are the differences of a setup from the demo's parameters.
func (o options) env(name string) []string {
	s := setups[name]
	return append(slices.Clip(s.env), fmt.Sprintf("USERS=%d", o.users*s.users/100))
}

// demo runs a command of the demo.
func (o options) demo(verb string, env ...string) error {
	cmd := exec.Command(filepath.Join(o.root, "deploy/demo/demo.sh"), verb)
	cmd.Env = slices.Concat(os.Environ(), common, env)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("demo.sh %s: %w\n%s", verb, err, out)
	}
	return nil
}

// size lets the demo measure how many users its pages allow for on this machine.
func (o options) size() (users int, err error) {
	err = o.during([]string{"COLLECTOR=serial", "POOL=32", "USERS=", sizedFor}, func() error {
		data, err := os.ReadFile(filepath.Join(o.root, ".demo/sized"))
		if err != nil {
			return err
		}
		_, err = fmt.Sscan(string(data), &users)
		return err
	})
	return users, err
}

// during runs the demo with an environment while a function works, and stops it in any case, also after a start that
// failed half-way.
func (o options) during(env []string, work func() error) (err error) {
	defer func() { err = errors.Join(err, o.demo("stop")) }()
	if err := o.demo("start", env...); err != nil {
		return err
	}
	return work()
}

// record runs the demo with a setup and records the measurement.
func record(o options, setup, file string) error {
	if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	env := append(o.env(setup), "RAMP="+seconds(o.ramp), "DURATION="+seconds(o.ramp+o.watch+60*time.Second))
	return o.during(env, func() error { return o.measure(file) })
}

// measure writes what the load generator and Nstar say about a demo that was just started.
func (o options) measure(file string) error {
	if o.priority {
		if err := prefer(filepath.Join(o.root, ".demo/run")); err != nil {
			return err
		}
	}
	// The generator forgets the ramp, so both see the time after it. A little of
	// it has to pass until the last user's place in the queues is found.
	time.Sleep(o.ramp + o.watch)
	var r recording
	summary, err := os.ReadFile(filepath.Join(o.root, ".demo/log/load.json"))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(summary, &r.Load); err != nil {
		return err
	}
	client, err := api.NewClient(api.Config{Address: prometheus})
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if r.Trace, err = recorded.Read(ctx, client, "bboard", time.Time{}, o.watch-10*time.Second); err != nil {
		return err
	}
	fmt.Printf("          %.0f pages/s, mean %.1f ms, %d errors\n", r.Load.Throughput, r.Load.Mean*1e3, r.Load.Errors)
	return write(file, r)
}

// prefer gives the demo's processes a larger share of the processors than other programs on the machine, so that the
// setups can be compared: each process of the demo is a session, and the kernel schedules sessions by their autogroups.
func prefer(records string) error {
	files, err := filepath.Glob(filepath.Join(records, "*"))
	if err != nil {
		return err
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		pid, _, _ := strings.Cut(strings.TrimSpace(string(data)), " ")
		if err := os.WriteFile(filepath.Join("/proc", pid, "autogroup"), []byte("-15"), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.0fs", d.Seconds()) }

func write(file string, r recording) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o644)
}

func read(file string) (r recording, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal(data, &r)
}
