// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

//go:embed mongodb.py
var mongoClient string

// startMongoDB is FerretDB, another server that speaks MongoDB's protocol (MongoDB's own is in no registry of
// packages), under MongoDB's own drivers for Go and Python. It counts its answers by command, and reports the counts
// over a Unix socket. It does not support writes without an acknowledgement, or exhaust cursors.
func startMongoDB(b *bed.Bed, _, python string) (*subject, error) {
	port, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	program, err := filepath.Abs(".cache/proof/ferretdb")
	if err != nil {
		return nil, err
	}
	socket, address := b.Path("ferretdb.sock"), "127.0.0.1:"+strconv.Itoa(port)
	if _, err := b.Start("server", program, "serve", address, socket, b.Dir); err != nil {
		return nil, err
	}
	commands := func() (clientCount, error) {
		counts := clientCount{}
		return counts, counts.run(program, "counts", socket)
	}
	if err := bed.WaitFor(30*time.Second, func() error { _, err := commands(); return err }); err != nil {
		return nil, err
	}
	const hello = "hello ismaster unknown" // the server reports no name for an old command, isMaster
	// waits are the commands that wait on purpose, in small letters
	add := func(name string, waits string, run ...string) load {
		count := func(waiting bool) func() (int64, error) {
			return func() (n int64, _ error) {
				counts, err := commands()
				for command, answered := range counts {
					waits := strings.Contains(" "+waits+" ", " "+strings.ToLower(command)+" ")
					if waits == waiting && command != "serverStatus" {
						n += answered
					}
				}
				return n, err
			}
		}
		return load{
			name: name, run: func() error { _, err := bed.Run(run...); return err },
			answered: count(false), waits: count(true), source: "its commands by name",
		}
	}
	s := &subject{name: "mongodb", port: port, loads: []load{
		add("Go driver, 8 connections", hello, program, "mixed", address),
		add("Go driver, 100 connections", hello, program, "hundred", address),
		add("60 commands sent ahead on a connection", hello, program, "ahead", address),
	}}
	if python == "" {
		return s, nil
	}
	script, err := b.Write("client.py", mongoClient)
	if err != nil {
		return nil, err
	}
	s.loads = append(s.loads,
		add("pymongo, threads and their cursors", hello, python, script, "threads", strconv.Itoa(port)),
		add("pymongo, cursors that await data", hello+" getmore", python, script, "tails", strconv.Itoa(port)))
	return s, nil
}
