// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The connections of a driver for MongoDB with cursors that await data (testdata/capture-mongodb.sh), and how
// many commands the server itself reports as answered on them: those that wait (hello and getMore), and all
// others.
const (
	mongoConnections = 5
	mongoCommands    = 28
	mongoWaits       = 89
)

func TestReplayMongoDB(t *testing.T) {
	m := loadMachine(t)
	var got totals
	waits := 0
	for i := range mongoConnections {
		s := recorded(t, fmt.Sprint("mongodb-", i+1))
		got.add(m.totalsOf(t, s))
		waits += m.waits(t)
	}
	if diff := cmp.Diff(totals{Arrivals: mongoCommands, Completions: mongoCommands}, got); diff != "" {
		t.Errorf("counted otherwise than by the server (-server +got):\n%s", diff)
	}
	if waits != mongoWaits {
		t.Errorf("%d requests that wait on purpose, by the server's count %d", waits, mongoWaits)
	}
}

// Joined in the middle, at any segment, a connection has no request that is not answered, and none is left in the
// queue.
func TestReplayMongoDBJoined(t *testing.T) {
	m := loadMachine(t)
	for i := range mongoConnections {
		whole := recorded(t, fmt.Sprint("mongodb-", i+1))
		for from := 1; from < len(whole.steps)-1; from++ {
			s := whole
			s.steps = whole.steps[from:]
			if got := m.totalsOf(t, s); got.Arrivals != got.Completions || got.Aborts != 0 {
				t.Errorf("connection %d, joined at segment %d: %+v", i+1, from, got)
			}
		}
	}
}
