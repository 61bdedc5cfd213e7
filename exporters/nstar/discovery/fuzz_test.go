// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// A name of a process is anything; nothing that follows it may be taken from it.
func FuzzParseStat(f *testing.F) {
	for _, comm := range []string{"java", "a) S (b", ") Z 1 1 1 0 -1 0 (", "\xff\n", ""} {
		f.Add([]byte(comm), []byte(statLine(7, "x", "S", 0, 5, 6)))
	}
	f.Add([]byte("kworker"), []byte(statLine(7, "x", "I", kernelThread, 5, 6)))
	f.Fuzz(func(t *testing.T, comm, line []byte) {
		_, _, _ = parseStat(7, line)
		if bytes.IndexByte(comm, 0) >= 0 {
			return
		}
		id, parent, ok := parseStat(7, []byte(statLineOf(7, 3, string(comm), "S", 0x400000, 1234, 99)))
		if want := (identity{7, 1234, 99, string(comm)}); !ok || id != want || parent != 3 {
			t.Errorf("%q: %+v of %d, %v", comm, id, parent, ok)
		}
	})
}

func FuzzParseCgroup(f *testing.F) {
	for _, seed := range []string{
		"0::/system.slice/nginx.service\n", "1:name=systemd:/docker/" + containerIDs + "\n", "0::/a\\x2db.service/x",
		"0::/" + strings.Repeat("a/", 500), "::\n:::\n", "0::/\xff.service", "0::/.service",
		"0::/libpod-conmon-" + containerIDs + ".scope",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		h := parseCgroup(content)
		if h.name == "" && (h.unit != "" || h.container != "") || h.container != "" && len(h.container) != 64 {
			t.Errorf("%q: %+v", content, h)
		}
		p := process{home: h, identity: identity{comm: content}}
		if name := p.name(); !utf8.ValidString(name) || len(name) > longestName {
			t.Errorf("%q is shown as %q", content, name)
		}
	})
}

func FuzzParseDiag(f *testing.F) {
	f.Add(diagMessage(unix.AF_INET, stateListen, 5))
	f.Add(diagMessage(unix.AF_INET6, stateEstablished, 6))
	f.Fuzz(func(t *testing.T, body []byte) {
		if s, ok := parseDiag(body); ok && (s.inode == 0 || !s.local.IsValid()) {
			t.Errorf("accepted %+v", s)
		}
	})
}

// Whatever the engines' files hold, the name is one that can be shown.
func FuzzContainerName(f *testing.F) {
	f.Add([]byte(`{"Name":"/web"}`), []byte(`[{"id":"`+containerIDs+`","names":["x"]}]`), "front_shop_nginx")
	f.Add([]byte(`{"Name":["/web"]}`), []byte(`[[[[`), "__")
	f.Add([]byte(`null`), []byte(`[{"id":null,"names":[null]}]`), "a_b")
	f.Fuzz(func(t *testing.T, docker, podman []byte, log string) {
		p := newFakeProc(t)
		p.write(string(docker), "1", "root", "var/lib/docker/containers", containerIDs, "config.v2.json")
		p.write(string(podman), "1", "root", "var/lib/containers/storage/overlay-containers/containers.json")
		if log = strings.Map(fileName, log); len(log) > 0 && len(log) < 100 {
			p.write("", "1", "root", "var/log/containers", log+"-"+containerIDs+".log")
		}
		h := parseCgroup("0::/docker/" + containerIDs + "\n").called(NewScanner(p.root, 1).containers)
		if name := (&process{home: h}).name(); name == "" || !utf8.ValidString(name) || len(name) > longestName {
			t.Errorf("the name is %q", name)
		}
	})
}

// fileName leaves out bytes that no file name can hold.
func fileName(r rune) rune {
	if r == '/' || r == 0 {
		return -1
	}
	return r
}
