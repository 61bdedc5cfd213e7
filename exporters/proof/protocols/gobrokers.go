// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"path/filepath"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// startNATS is nats-server under its driver for Go.
func startNATS(b *bed.Bed, _, _ string) (*broker, error) {
	return goBroker(b, "nats", [][2]string{
		{"publish", "one publishes, three listen"}, {"large", "messages of 300 kB"},
		{"request", "requests and replies"}, {"jetstream", "a stream that is kept, with acknowledgements"},
		{"listen", "three only listen, and to nobody"},
	})
}

// startNSQ is nsqd under its driver for Go.
func startNSQ(b *bed.Bed, _, _ string) (*broker, error) {
	return goBroker(b, "nsq", [][2]string{
		{"publish", "one publishes, two consume"}, {"large", "messages of 300 kB"},
		{"listen", "two consume, and nobody publishes"},
	})
}

// goBroker is a server and its clients of the module brokers.
func goBroker(b *bed.Bed, name string, loads [][2]string) (*broker, error) {
	port, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	program, err := filepath.Abs(".cache/proof/brokers")
	if err != nil {
		return nil, err
	}
	address := fmt.Sprint("127.0.0.1:", port)
	if _, err := b.Start("server", program, "serve", name, address, b.Dir); err != nil {
		return nil, err
	}
	s := &broker{subject: subject{name: name, port: port}}
	s.loads = loadsOf(loads, address, program, name)
	return s, listening(port)
}
