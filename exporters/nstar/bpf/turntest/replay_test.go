// SPDX-License-Identifier: Apache-2.0

package turntest

import (
	"bufio"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// totals over all windows of a replayed session.
type totals struct{ Arrivals, Completions, Aborts, Reopened int }

func (t *totals) add(more totals) {
	t.Arrivals += more.Arrivals
	t.Completions += more.Completions
	t.Aborts += more.Aborts
	t.Reopened += more.Reopened
}

// totalsOf plays a session and adds up its windows.
func (m *machine) totalsOf(t *testing.T, s scenario) (sum totals) {
	t.Helper()
	m.play(t, s)
	for _, w := range integrate(m.windows(t, 0, s.horizon(), 0)) {
		sum.add(totals{int(w.Arrivals), int(w.Completions), int(w.Aborts), int(w.Reopened)})
	}
	return sum
}

// TestReplay plays real sessions recorded on loopback (testdata/capture*.sh), segment by segment.
func TestReplay(t *testing.T) {
	for name, want := range map[string]totals{
		"tls12":                {Arrivals: 2, Completions: 2},
		"tls12-cbc":            {Arrivals: 2, Completions: 2},
		"tls12-mutual":         {Arrivals: 2, Completions: 2},
		"tls13-sha256":         {Arrivals: 2, Completions: 2},
		"tls13-sha384":         {Arrivals: 2, Completions: 2},
		"tls13-mutual":         {Arrivals: 2, Completions: 2},
		"tls13-no-certificate": {Arrivals: 2, Completions: 2},
		"tls13-retry":          {Arrivals: 2, Completions: 2},
		"mariadb":              {Arrivals: 4, Completions: 4},
		// Inside TLS the commands can't be distinguished: the loaded file counts as a request of its own, and
		// COM_QUIT as one that was aborted.
		"mariadb-tls12": {Arrivals: 6, Completions: 5, Aborts: 1},
		"mariadb-tls13": {Arrivals: 6, Completions: 5, Aborts: 1},
	} {
		t.Run(name, func(t *testing.T) {
			m := loadMachine(t)
			s := recorded(t, name)
			got := m.totalsOf(t, s)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("counted otherwise (-want +got):\n%s", diff)
			}
		})
	}
}

// recorded reads a session: one segment a line, ">" towards the server and "<" towards the client, then its payload.
func recorded(t *testing.T, name string) scenario {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".hex"))
	check(t, err)
	defer f.Close()
	s := scenario{name: name}
	now := time.Duration(0)
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		mark, digits, _ := strings.Cut(lines.Text(), " ")
		if mark == "#" {
			continue
		}
		payload, err := hex.DecodeString(digits)
		check(t, err)
		now += 7 * ms
		if mark == ">" {
			s.steps = append(s.steps, at(now).request(payload))
		} else {
			s.steps = append(s.steps, at(now).answer(payload))
		}
	}
	check(t, lines.Err())
	s.steps = append(s.steps, at(now+7*ms).close())
	return s
}

// TestReplayJoined begins to look in the middle of a real MariaDB session, before each of its segments behind the
// login: commands show the protocol, so that nothing is outstanding after the last answer, and COM_QUIT asks nothing.
func TestReplayJoined(t *testing.T) {
	const login = 3 // segments
	m := loadMachine(t)
	whole := recorded(t, "mariadb")
	quit := len(whole.steps) - 2
	for from := login; from < quit-1; from++ {
		s := whole
		s.steps = whole.steps[from:]
		got := m.totalsOf(t, s)
		if c := m.connection(t); c.Protocol != mysql || got.Arrivals != got.Completions || got.Aborts != 0 {
			t.Errorf("joined at segment %d: protocol %d, %+v", from, c.Protocol, got)
		}
		if from == login && got.Completions != 4 {
			t.Errorf("joined behind the login: %+v", got)
		}
	}
}
