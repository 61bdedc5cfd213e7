// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"fmt"
	"testing"
)

// statLine is /proc/PID/stat with the fields that matter, of a process that init started.
func statLine(pid int, comm, state string, flags, start, stack uint64) string {
	return statLineOf(pid, 1, comm, state, flags, start, stack)
}

func statLineOf(pid, parent int, comm, state string, flags, start, stack uint64) string {
	return fmt.Sprintf("%d (%s) %s %d 1 1 0 -1 %d 0 0 0 0 0 0 0 0 20 0 1 0 %d 1000 100 18446744073709551615 1 2 %d 0 "+
		"0 0\n",
		pid, comm, state, parent, flags, start, stack)
}

func TestParseStat(t *testing.T) {
	tests := []struct {
		name, in string
		want     identity
		ok       bool
	}{
		{"usual", statLine(7, "java", "S", 0x400000, 1234, 99), identity{7, 1234, 99, "java"}, true},
		{"name with parentheses", statLine(7, "a) S (b", "S", 0, 5, 6), identity{7, 5, 6, "a) S (b"}, true},
		{"zombie", statLine(7, "java", "Z", 0, 5, 0), identity{}, false},
		{"kernel thread", statLine(7, "kworker/0:1", "I", kernelThread|0x8000, 5, 0), identity{}, false},
		{"cut short", "7 (java) S 1 1", identity{}, false},
		{"no name", "7 java S 1 1", identity{}, false},
		{"empty", "", identity{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, parent, ok := parseStat(7, []byte(tt.in))
			if ok != tt.ok || ok && (got != tt.want || parent != 1) {
				t.Errorf("got %+v of %d, %v, want %+v of 1, %v", got, parent, ok, tt.want, tt.ok)
			}
		})
	}
}

func TestName(t *testing.T) {
	tests := []struct{ comm, exe, title, home, want string }{
		{"java", "java", "", "", "java"},
		{"java", "java", "", "tomcat10", "tomcat10"},
		{"prometheus-node", "prometheus-node-exporter", "", "", "prometheus-node-exporter"},
		{"mysqld_exporter", "mysqld_exporter", "", "", "mysqld_exporter"},
		{"gunicorn", "python3.11", "", "", "gunicorn"},
		{"gunicorn: maste", "python3.11", "gunicorn: master [shop:app]", "", "gunicorn"},
		{"starman master ", "perl", "starman master --workers 5", "", "starman"},
		{"starman worker ", "perl", "starman worker --workers 5", "", "starman"},
		{"Media Server", "Media Server", "", "", "Media Server"},
		{"MainThread", "node", "", "", "node"},
		{"node-MainThread", "node", "", "", "node"},
		{"fifteen-letters", "", "", "", "fifteen-letters"},
		{"[TS_MAIN]", "traffic_server", "/usr/bin/traffic_server", "", "traffic_server"},
		{"/srv/shop/seat-", "perl", "/srv/shop/seat-prices.pl", "", "seat-prices.pl"},
		{"/srv/shop/seats", "perl", "/srv/shop/seats --port 3000", "", "seats"},
		{"/srv/shop/price", "perl", "perl", "", "price"},
		{"/", "perl", "/", "", "/"},
	}
	for _, tt := range tests {
		p := process{identity: identity{comm: tt.comm}, exe: tt.exe, title: tt.title, home: home{name: tt.home}}
		if got := p.name(); got != tt.want {
			t.Errorf("name of %q (%s) in %q = %q, want %q", tt.comm, tt.exe, tt.home, got, tt.want)
		}
	}
}
