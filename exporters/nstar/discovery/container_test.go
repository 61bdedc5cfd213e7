// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nstar-project/nstar/exporters/nstar/config"
)

const containerIDs = "4f1c9e0b7a6d5c4b3a2918070605f4e3d2c1b0a998877665544332211000fffe"

// The files as the engines write them, cut to what matters.
func TestContainerNames(t *testing.T) {
	const id = containerIDs
	const other = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	for _, tt := range []struct {
		name   string
		cgroup string
		files  map[string]string
		want   string
	}{
		{"docker, systemd", "/system.slice/docker-" + id + ".scope", map[string]string{
			"var/lib/docker/containers/" + id + "/config.v2.json": `{"ID":"` + id +
				`","Name":"/shop-db-1","Config":{}}`,
			"var/lib/docker/containers/" + other + "/config.v2.json": `{"Name":"/other"}`,
		}, "shop-db-1"},
		{"docker, cgroupfs", "/docker/" + id, map[string]string{
			"var/lib/docker/containers/" + id + "/config.v2.json": `{"Name":"/web"}`,
		}, "web"},
		{"podman", "/machine.slice/libpod-" + id + ".scope/container", map[string]string{
			"var/lib/containers/storage/overlay-containers/containers.json": `[{"id":"` + other +
				`","names":["x"]},{"id":"` +
				id + `","names":["cache"]}]`,
		}, "cache"},
		{"kubelet, containerd",
			"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1_2.slice/cri-containerd-" +
				id + ".scope", map[string]string{
				"var/log/containers/front-7d4b9c-x2x9z_shop_nginx-" + id + ".log": "",
				"var/log/containers/back-1_shop_java-" + other + ".log":           "",
			}, "shop/front-7d4b9c-x2x9z/nginx"},
		{"kubelet, CRI-O", "/kubepods.slice/kubepods-pod1.slice/crio-" + id + ".scope", map[string]string{
			"var/log/containers/db-0_shop_my-sql-" + id + ".log": "",
		}, "shop/db-0/my-sql"},
		{"containerd, CRI", "/kubepods/burstable/pod1/" + id, map[string]string{
			"run/containerd/io.containerd.runtime.v2.task/k8s.io/" + id +
				"/config.json": `{"annotations":{"io.kubernetes.cri.container-name":"nginx",` +
				`"io.kubernetes.cri.sandbox-name":"front-1","io.kubernetes.cri.sandbox-namespace":"shop"}}`,
		}, "shop/front-1/nginx"},
		{"k3s", "/kubepods/pod1/" + id, map[string]string{
			"run/k3s/containerd/io.containerd.runtime.v2.task/k8s.io/" + id +
				"/config.json": `{"annotations":{"io.kubernetes.cri.container-name":"c",` +
				`"io.kubernetes.cri.sandbox-name":"p","io.kubernetes.cri.sandbox-namespace":"n"}}`,
		}, "n/p/c"},
		{"containerd, nerdctl", "/system.slice/nerdctl-" + id + ".scope", map[string]string{
			"run/containerd/io.containerd.runtime.v2.task/default/" + id +
				"/config.json": `{"annotations":{"nerdctl/name":"queue"}}`,
		}, "queue"},
		{"nobody says", "/docker/" + id, nil, id[:shortID]},
		{"broken files", "/docker/" + id, map[string]string{
			"var/lib/docker/containers/" + id + "/config.v2.json":           `{"Name":7`,
			"var/lib/containers/storage/overlay-containers/containers.json": `{"not":"a list"}`,
			"var/log/containers/-" + id + ".log":                            "",
			"var/log/containers/__-" + id + ".log":                          "",
		}, id[:shortID]},
		{"a hostile name", "/docker/" + id, map[string]string{
			"var/lib/docker/containers/" + id + "/config.v2.json": `{"Name":"/a\u0000\nb"}`,
		}, "a??b"},
		{"a unit within", "/docker/" + id + "/system.slice/nginx.service", map[string]string{
			"var/lib/docker/containers/" + id + "/config.v2.json": `{"Name":"/web"}`,
		}, "nginx"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := newFakeProc(t)
			f.add(1, fakeProcess{comm: "init", exe: "init"})
			f.add(10, fakeProcess{comm: "x", exe: "x", cgroup: "0::" + tt.cgroup + "\n", sockets: []uint64{80}})
			f.table([]socket{listen(80, "[::]:80")}, 1, 10)
			f.write("", "1", "root", "etc", "hostname")
			for path, text := range tt.files {
				f.write(text, "1", "root", path)
			}
			snap := scan(t, NewScanner(f.root, 999))
			if len(snap.Tiers) != 1 || snap.Tiers[0].Name != tt.want || snap.Tiers[0].Owner != "container "+id {
				t.Errorf("tiers %+v, want %q", snap.Tiers, tt.want)
			}
		})
	}
}

// A rule may give the container's name as well as the beginning of its id.
func TestRuleByContainerName(t *testing.T) {
	for _, match := range []string{"shop-db-1", containerIDs[:6], containerIDs} {
		cfg, err := config.Parse("f", fmt.Appendf(nil, "tiers: [{name: db, match: {container: %q}}]", match))
		if err != nil {
			t.Fatal(err)
		}
		h := home{container: containerIDs, containerName: "shop-db-1", name: "shop-db-1"}
		got := tiers(groups([]*process{in(h, proc(5, "x", 80)), proc(6, "y", 443)}, listening), cfg, newNames())
		if len(got) != 2 || got[0].Name != "db" || got[0].Listeners[0].Port != 80 {
			t.Errorf("%s: tiers %+v", match, got)
		}
	}
}

// A pattern selects all containers of a workload of Kubernetes, whose pods have a new name after each rollout.
func TestRuleByPattern(t *testing.T) {
	for _, test := range []struct {
		match string
		ports []uint16 // of the tier
	}{
		{`{container: "shop/cart-*/app"}`, []uint16{80, 443}},
		{`{container: "shop/*/app"}`, []uint16{80, 443, 8080}},
		{`{container: "shop/*"}`, nil},
		{`{container: "*"}`, nil},
		{`{unit: "worker@*"}`, []uint16{22, 3306}},
		{`{unit: "worker@?.service"}`, []uint16{22, 3306}},
		{`{unit: "*"}`, []uint16{22, 3306}},
	} {
		cfg, err := config.Parse("f", fmt.Appendf(nil, "tiers: [{name: cart, match: %s}]", test.match))
		if err != nil {
			t.Fatal(err)
		}
		pod := func(name string) home { return home{container: containerIDs, containerName: name, name: name} }
		unit := func(name string) home { return home{unit: name, name: name} }
		found := tiers(groups([]*process{
			in(pod("shop/cart-7d9f8c6b5-x2x9z/app"), proc(5, "x", 80)),
			in(pod("shop/cart-7d9f8c6b5-b7k4q/app"), proc(6, "x", 443)),
			in(pod("shop/front-5f4/app"), proc(7, "x", 8080)), in(unit("worker@1.service"), proc(8, "x", 22)),
			in(unit("worker@2.service"), proc(9, "x", 3306)), proc(10, "y", 9100),
		}, listening), cfg, newNames())
		var ports []uint16
		for _, tier := range found {
			if tier.Ruled {
				for _, l := range tier.Listeners {
					ports = append(ports, l.Port)
				}
			}
		}
		if !slices.Equal(ports, test.ports) {
			t.Errorf("%s: %v, want %v", test.match, ports, test.ports)
		}
	}
}

// A process in a group of the kernel's own, as an engine makes it.
func TestRealContainerGroup(t *testing.T) {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		t.Fatal(err)
	}
	root := ""
	for line := range strings.Lines(string(mounts)) {
		if fields := strings.Fields(line); len(fields) > 4 && strings.Contains(line, " - cgroup2 ") {
			root = fields[4]
		}
	}
	group := filepath.Join(root, "docker-"+containerIDs+".scope")
	if err := os.Mkdir(group, 0o755); root == "" || err != nil {
		t.Skipf("no group can be made in %q: %v", root, err)
	}
	t.Cleanup(func() { os.Remove(group) })
	line, pid := helper(t, "listen", nil, nil)
	if err := os.WriteFile(filepath.Join(group, "cgroup.procs"), fmt.Append(nil, pid), 0); err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = os.WriteFile(filepath.Join(root, "cgroup.procs"), fmt.Append(nil, pid), 0) })
	s := NewScanner("/proc", 0)
	s.containers.root = t.TempDir()
	address := strings.Fields(line)[0]
	if tier, _ := tierAt(t, scan(t, s), address); tier.Name != containerIDs[:shortID] {
		t.Errorf("without an engine it is %q", tier.Name)
	}
	dir := filepath.Join(s.containers.root, "var/lib/docker/containers", containerIDs)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.v2.json"), []byte(`{"Name":"/shop-db-1"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for range refreshScans {
		scan(t, s)
	}
	if tier, _ := tierAt(t, scan(t, s), address); tier.Name != "shop-db-1" || tier.Owner != "container "+containerIDs {
		t.Errorf("it is %q of %q", tier.Name, tier.Owner)
	}
}
