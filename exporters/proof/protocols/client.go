// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"maps"
	"strings"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// clientCount adds up what clients say that they asked, by kind.
type clientCount map[string]int64

// run runs a client that prints its requests, a kind and their number on each line.
func (c clientCount) run(argv ...string) error {
	out, err := bed.Run(argv...)
	if err != nil {
		return err
	}
	for line := range strings.Lines(out) {
		var kind string
		var n int64
		if _, err := fmt.Sscan(line, &kind, &n); err != nil {
			return fmt.Errorf("the client's count %q: %w", line, err)
		}
		c[kind] += n
	}
	return nil
}

func (c clientCount) answered() (n int64, _ error) {
	for _, of := range c {
		n += of
	}
	return n, nil
}

func (c clientCount) byKind() (map[string]int64, error) { return maps.Clone(c), nil }
