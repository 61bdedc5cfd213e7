// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"net/http"
	"runtime"
	"sync"
)

// tableSize is how much the server with the table reads for each request: it fits into the second-level cache of a
// core (2 MiB on the machine of the experiment), not into the first. A thread that moves has to fetch it again.
const tableSize = 1 << 20

// serve answers at an address with the sum of a table, one request at a time on one thread.
func serve(at string) error {
	runtime.GOMAXPROCS(1)
	table := make([]uint64, tableSize/8)
	for i := range table {
		table[i] = uint64(i) * 0x9e3779b97f4a7c15
	}
	var turn sync.Mutex
	return http.ListenAndServe(at, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		turn.Lock()
		sum := uint64(0)
		for _, v := range table {
			sum += v
		}
		turn.Unlock()
		fmt.Fprintf(w, "%x\n", sum)
	}))
}
