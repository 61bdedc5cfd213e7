// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestVisible(t *testing.T) {
	for name, want := range map[string]string{
		"nginx":                    "nginx",
		"Web Content":              "Web Content",
		"größe-日本":                 "größe-日本",
		"\xff\xfe":                 "??",
		"a\xc3":                    "a?",
		"evil\n# TYPE x":           "evil?# TYPE x",
		"\x1b[31mred":              "?[31mred",
		"\u202egnp.exe":            "?gnp.exe",
		"\ufffd":                   "?", // PromQL can't ask for it
		"":                         "",
		strings.Repeat("x", 200):   strings.Repeat("x", longestName),
		strings.Repeat("日", 50):    strings.Repeat("日", longestName/3),
		strings.Repeat("\xff", 90): strings.Repeat("?", 90),
	} {
		if got := Visible(name); got != want {
			t.Errorf("%q is shown as %q, want %q", name, got, want)
		}
	}
}

func FuzzVisible(f *testing.F) {
	for _, seed := range []string{"", "java", "\xff", "\xed\xa0\x80", "a\x00b", strings.Repeat("é", 90)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := Visible(name)
		if !utf8.ValidString(got) || len(got) > longestName || strings.ContainsFunc(got, unicode.IsControl) {
			t.Errorf("%q is shown as %q", name, got)
		}
		if Visible(got) != got {
			t.Errorf("%q is not shown as itself", got)
		}
	})
}

// Whatever a process calls itself, and wherever the name comes from, tiers have names that can be exported.
func TestNamesOfTiersCanBeExported(t *testing.T) {
	f := newFakeProc(t)
	f.add(10, fakeProcess{comm: "\xff\xfe\xfd", exe: "x", sockets: []uint64{100}})
	f.add(20, fakeProcess{comm: "longname-longna", exe: "longname-longname\xff", sockets: []uint64{200}})
	f.add(30, fakeProcess{comm: "x", exe: "x", cgroup: "0::/system.slice/\xff\xfe.service\n", sockets: []uint64{300}})
	f.table([]socket{listen(100, "[::]:80"), listen(200, "[::]:81"), listen(300, "[::]:82")}, 10, 20, 30)
	snap, err := NewScanner(f.root, 999).Scan(nil)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{"???": true, "longname-longname?": true, "??": true}
	for _, tier := range snap.Tiers {
		if !want[tier.Name] {
			t.Errorf("a tier is called %q", tier.Name)
		}
		delete(want, tier.Name)
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
}
