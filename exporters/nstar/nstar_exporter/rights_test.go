// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nstar-project/nstar/exporters/nstar/causes"
)

// Capabilities by their number in linux/capability.h.
const (
	dacReadSearch, sysPtrace, bpf = 2, 19, 39
	afterwards                    = 1<<dacReadSearch | 1<<sysPtrace | 1<<bpf
)

// capabilities reads a set of every thread of a process.
func capabilities(t *testing.T, pid int, set string) map[uint64]int {
	t.Helper()
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	if err != nil || len(files) == 0 {
		t.Fatal("no threads", err)
	}
	out := make(map[uint64]int)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if value, ok := strings.CutPrefix(line, set+":"); ok {
				n, err := strconv.ParseUint(strings.TrimSpace(value), 16, 64)
				if err != nil {
					t.Fatal(err)
				}
				out[n]++
			}
		}
	}
	return out
}

// expectRights checks that no thread has, or can get, more capabilities than measuring needs.
func expectRights(t *testing.T, e *exporter) {
	t.Helper()
	for set, want := range map[string]uint64{
		"CapEff": afterwards, "CapPrm": afterwards, "CapInh": 0, "CapAmb": 0, "NoNewPrivs": 1,
	} {
		if got := capabilities(t, e.Process.Pid, set); len(got) != 1 || got[want] == 0 {
			t.Errorf("%s is %x (by thread), want %x", set, got, want)
		}
	}
}

// measuresOthers sees that another user's server is a tier and its requests are counted, at a port and at a Unix
// socket: discovery, tables, windows.
func measuresOthers(t *testing.T, e *exporter) {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "socket")
	address := neighbour(t, "others", nil, listensToo+"="+socket).address
	e.eventually("the tier is known", func() bool { return strings.Contains(e.get("/metrics"), `tier="others"`) })
	e.eventually("what is asked over a Unix socket is counted", func() bool {
		before := completed(t, e)
		c, err := net.Dial("unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: test\r\n\r\n")
		if _, err := http.ReadResponse(bufio.NewReader(c), nil); err != nil {
			t.Fatal(err)
		}
		time.Sleep(1500 * time.Millisecond)
		return completed(t, e) == before+1
	})
	before := completed(t, e)
	for range 6 {
		response, err := http.Get("http://" + address)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
	}
	for _, k := range causes.Switches() {
		if there := k.Name != "cache_misses" && (k.Name != "frequency" || hasClocks()); there &&
			!strings.Contains(e.get("/metrics"), `nstar_cause_up{cause="`+k.Name+`"} 1`) {
			t.Errorf("these rights are not enough for the cause %s", k.Name)
		}
	}
	if log := e.log(); strings.Contains(log, "missing=cache_misses") {
		t.Errorf("these rights are not enough to ask for counters of cache misses: %s", log)
	}
	e.eventually("its requests are counted", func() bool { return completed(t, e) == before+6 })
}

func completed(t *testing.T, e *exporter) float64 {
	return sums(t, e.get("/metrics"), map[string]string{"tier": "others"})["nstar_tier_completions_total"]
}

// hasClocks reports whether this machine shows the clock rates of its processors.
func hasClocks() bool {
	clocks, _ := filepath.Glob("/sys/devices/system/cpu/cpu*/cpufreq/scaling_cur_freq")
	return len(clocks) > 0
}

// Root, too, keeps only the capabilities that measuring needs.
func TestRightsAreGivenUp(t *testing.T) {
	e := start(t, "", 1)
	expectRights(t, e)
	if got := capabilities(t, e.Process.Pid, "CapBnd"); got[0] == 0 {
		t.Errorf("bounding set %x, want none", got)
	}
	measuresOthers(t, e)
	e.stop()
}

// capabilitiesOfTheUnit are those that the systemd unit gives, as setpriv calls them.
func capabilitiesOfTheUnit(t *testing.T) (names []string) {
	t.Helper()
	unit, err := os.ReadFile("../../../deploy/systemd/nstar_exporter.service")
	if err != nil {
		t.Fatal(err)
	}
	_, ambient, found := strings.Cut(string(unit), "AmbientCapabilities=")
	if !found {
		t.Fatal("the unit gives no capabilities")
	}
	ambient, _, _ = strings.Cut(ambient, "\n")
	for _, name := range strings.Fields(ambient) {
		names = append(names, strings.ToLower(strings.TrimPrefix(name, "CAP_")))
	}
	return names
}

// programForAll is this test's program in a place where every user can run it: other users can't enter the
// directories of a test.
func programForAll(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "nstar")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "nstar_exporter")
	if err := copyProgram(self, program); err != nil {
		t.Fatal(err)
	}
	return program
}

// The systemd unit's user and capabilities are enough.
func TestRightsOfTheUnit(t *testing.T) {
	needsBPF(t)
	if err := exec.Command("setpriv", "--version").Run(); err != nil {
		t.Skip("no setpriv", err)
	}
	set := "-all,+" + strings.Join(capabilitiesOfTheUnit(t), ",+")
	script := fmt.Sprintf(`cd /; shift; exec setpriv --reuid=65534 --regid=65534 --clear-groups --no-new-privs \
		--inh-caps=%[1]s --ambient-caps=%[1]s --bounding-set=%[1]s %[2]s "$@"`, set, programForAll(t))
	e := start(t, script, 1)
	expectRights(t, e)
	measuresOthers(t, e)
	e.stop()
}

// The unit stays hardened as systemd understands it.
func TestExposureOfTheUnit(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd-analyze")
	}
	const most = 25 // tenths
	text, err := exec.Command(analyze, "security", "--offline=true", "--no-pager", fmt.Sprintf("--threshold=%d", most),
		"../../../deploy/systemd/nstar_exporter.service").CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, text)
	}
}
