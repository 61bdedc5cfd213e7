// SPDX-License-Identifier: Apache-2.0

package main

import (
	"strconv"
	"strings"

	"github.com/nstar-project/nstar/exporters/nstar/proof/bed"
)

// clientCount adds up what clients say that they asked.
type clientCount struct{ asked int64 }

// run runs a client that prints the number of its requests.
func (c *clientCount) run(argv ...string) error {
	out, err := bed.Run(argv...)
	if err != nil {
		return err
	}
	n, err := strconv.ParseInt(strings.TrimSpace(out), 10, 64)
	c.asked += n
	return err
}

func (c *clientCount) answered() (int64, error) { return c.asked, nil }
