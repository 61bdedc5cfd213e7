// SPDX-License-Identifier: Apache-2.0

package topology

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// recorded is a machine whose files are given as `grep -r .` prints them, one "path:content" per line. If a line begins
// with a range, its `${i}` stands for each processor of this range: "0-7 cpu${i}/topology/...".
func recorded(t *testing.T, name string) fs.FS {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	tree := make(fstest.MapFS)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		cpus := []int{-1}
		if list, rest, ok := strings.Cut(line, " "); ok {
			if cpus, err = List(list); err != nil {
				t.Fatal(err)
			}
			line = rest
		}
		path, content, ok := strings.Cut(line, ":")
		if !ok {
			t.Fatalf("%s: %q", name, line)
		}
		for _, cpu := range cpus {
			of := strings.NewReplacer("${i}", fmt.Sprint(cpu))
			tree[of.Replace(path)] = &fstest.MapFile{Data: []byte(of.Replace(content) + "\n")}
		}
	}
	return tree
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name string
		want []string // level, package, processors
	}{
		{"two-sockets.txt", []string{"L3 package 0: 0-3,8-11", "L3 package 1: 4-7,12-15"}},
		{"amd-ccx.txt", []string{"L3 package 0: 0-3,16-19", "L3 package 0: 4-7,20-23", "L3 package 0: 8-11,24-27",
			"L3 package 0: 12-15,28-31"}},
		{"one-socket-offline.txt", []string{"L3 package 0: 0-2"}},
		{"arm-private-l2.txt", []string{"L0 package 0: 0-3", "L0 package 1: 4-7"}},
		{"vm-sockets.txt", []string{"L0 package -1: 0-3"}},
		{"vm-nothing.txt", []string{"L0 package -1: 0-1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Read(recorded(t, c.name))
			if err != nil {
				t.Fatal(err)
			}
			var said []string
			for i, d := range got.Domains {
				said = append(said, fmt.Sprintf("L%d package %d: %s", d.Level, d.Package, Format(d.CPUs)))
				for _, cpu := range d.CPUs {
					if n, ok := got.Of(cpu); !ok || n != i {
						t.Errorf("processor %d is in domain %d, %v", cpu, n, ok)
					}
				}
			}
			if diff := cmp.Diff(c.want, said); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestOffline(t *testing.T) {
	got, err := Read(recorded(t, "one-socket-offline.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := got.Of(3); ok {
		t.Errorf("the processor that is offline is in domain %d", n)
	}
}

func TestUnreadable(t *testing.T) {
	for name, tree := range map[string]fstest.MapFS{
		"nothing": {},
		"no list": {"online": {Data: []byte("all\n")}},
		"nobody":  {"online": {Data: []byte("\n")}},
	} {
		if got, err := Read(tree); err == nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Each processor of the machine on which the test runs is in one domain.
func TestHere(t *testing.T) {
	sys := os.DirFS("/sys/devices/system/cpu")
	text, err := Online(sys)
	if err != nil {
		t.Skip(err)
	}
	online, err := List(text)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Read(sys)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, d := range got.Domains {
		n += len(d.CPUs)
	}
	if n != len(online) {
		t.Errorf("%d processors in domains, %d online: %+v", n, len(online), got.Domains)
	}
}

func TestList(t *testing.T) {
	for text, want := range map[string][]int{
		"": nil, "0": {0}, "0-2": {0, 1, 2}, "0-1,4,6-7\n": {0, 1, 4, 6, 7},
	} {
		got, err := List(text)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%q: %v\n%s", text, err, diff)
		}
	}
	for _, text := range []string{"a", "1-", "-1", "3-1", "0-70000", "0-8191,0-8191", "1;2", "0,,1"} {
		if got, err := List(text); err == nil {
			t.Errorf("%q: %d processors", text, len(got))
		}
	}
}

// What is written can be read again unchanged.
func FuzzList(f *testing.F) {
	for _, text := range []string{"", "0", "0-3,8-11", "1,3,5", "8191", "4-2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := List(text)
		if err != nil {
			return
		}
		again, err := List(Format(list))
		if err != nil || Format(again) != Format(list) {
			t.Errorf("%q: %v: %v, %v", text, list, again, err)
		}
	})
}
