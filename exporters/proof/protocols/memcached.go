// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"strconv"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

//go:embed memcached.py
var memcachedClient string

// startMemcached is one server under clients that count their requests: the server's own counters are of keys, not of
// commands.
func startMemcached(b *bed.Bed, programs, python string) (*subject, error) {
	port, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	s := &subject{name: "memcached", port: port}
	if python == "" {
		return s, nil
	}
	script, err := b.Write("client.py", memcachedClient)
	if err != nil {
		return nil, err
	}
	if _, err := b.Start("memcached", programs+"/usr/bin/memcached", "-u", "nobody", "-l", "127.0.0.1", "-p",
		strconv.Itoa(port)); err != nil {
		return nil, err
	}
	if err := listening(port); err != nil {
		return nil, err
	}
	count := clientCount{}
	for _, l := range []struct{ name, load string }{
		{"pymemcache, one command at a time, half of the writes without an answer", "client"},
		{"commands of text and of the meta kind sent ahead", "ahead"},
	} {
		s.loads = append(s.loads, load{
			name: l.name, run: func() error { return count.run(python, script, l.load, strconv.Itoa(port)) },
			answered: count.answered,
			source:   "the clients' own count",
		})
	}
	return s, nil
}
