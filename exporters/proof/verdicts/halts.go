// SPDX-License-Identifier: Apache-2.0

package main

import (
	"math/rand/v2"
	"sync"
	"time"
)

// haltEvery is the time from one stop of a tier to the next, shortestHalt and longestHalt are between which its length
// is drawn.
const (
	haltEvery    = time.Second
	shortestHalt = 50 * time.Millisecond
	longestHalt  = 300 * time.Millisecond
)

// halts are the single stops that were made, of lengths that are drawn.
type halts struct {
	mu     sync.Mutex
	random *rand.Rand
	all    []episode
}

// length draws one.
func (h *halts) length() time.Duration {
	h.mu.Lock()
	defer h.mu.Unlock()
	return shortestHalt + time.Duration(h.random.Int64N(int64(longestHalt-shortestHalt)))
}

func (h *halts) add(e episode) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, e)
}
