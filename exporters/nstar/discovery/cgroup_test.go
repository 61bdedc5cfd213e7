// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"strings"
	"testing"
)

func TestParseCgroup(t *testing.T) {
	id := strings.Repeat("4f1c9e0b2d3a", 6)[:64]
	short := id[:12]
	tests := []struct {
		name, content string
		want          home
	}{
		{"empty", "", home{}},
		{"root of everything", "1:name=systemd:/\n0::/\n", home{}},
		{"unit, v2", "0::/system.slice/apache2.service\n", home{unit: "apache2.service", name: "apache2"}},
		{"unit, v1", "12:cpu,cpuacct:/\n1:name=systemd:/system.slice/tomcat10.service\n",
			home{unit: "tomcat10.service", name: "tomcat10"}},
		{"hybrid", "2:memory:/system.slice/other.service\n1:name=systemd:/system.slice/a.service\n" +
			"0::/system.slice/b.service\n",
			home{unit: "b.service", name: "b"}},
		{"unit with a group below", "0::/system.slice/mysql.service/workers\n",
			home{unit: "mysql.service", name: "mysql"}},
		{"instance, escapes", "0::/system.slice/system-x.slice/web\\x2dapp@blue.service\n",
			home{unit: "web-app@blue.service", name: "web-app@blue"}},
		{"login session", "0::/user.slice/user-0.slice/session-3.scope\n", home{}},
		{"user's manager", "0::/user.slice/user-1000.slice/user@1000.service/init.scope\n", home{}},
		{"user's service", "0::/user.slice/user-1000.slice/user@1000.service/app.slice/demo.service\n",
			home{unit: "demo.service", name: "demo"}},
		{"docker, systemd driver", "0::/system.slice/docker-" + id + ".scope\n", home{container: id, name: short}},
		{"docker, cgroupfs driver, v1", "4:memory:/docker/" + id + "\n1:name=systemd:/docker/" + id + "\n",
			home{container: id, name: short}},
		{"docker, only one v1 controller", "4:memory:/docker/" + id + "\n1:name=systemd:/\n0::/\n",
			home{container: id, name: short}},
		{"kubernetes, containerd",
			"0::/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1b2c.slice/cri-containerd-" + id +
				".scope\n",
			home{container: id, name: short}},
		{"kubernetes, cgroupfs", "0::/kubepods/burstable/pod0a1b2c3d-0000-1111-2222-333344445555/" + id + "\n",
			home{container: id, name: short}},
		{"kubernetes, under containerd", "0::/system.slice/containerd.service/kubepods-pod1.slice:cri-containerd:" +
			id +
			"\n",
			home{unit: "containerd.service", container: id, name: short}},
		{"CRI-O", "0::/kubepods.slice/crio-" + id + ".scope\n", home{container: id, name: short}},
		{"CRI-O's monitor", "0::/kubepods.slice/crio-conmon-" + id + ".scope\n", home{}},
		{"podman", "0::/machine.slice/libpod-" + id + ".scope/container\n", home{container: id, name: short}},
		{"podman, rootless", "0::/user.slice/user-1000.slice/user@1000.service/user.slice/libpod-" + id + ".scope\n",
			home{container: id, name: short}},
		{"systemd inside a container", "0::/docker/" + id + "/system.slice/nginx.service\n",
			home{unit: "nginx.service", container: id, name: "nginx"}},
		{"seen from another container", "0::/../docker-" + id + ".scope\n", home{container: id, name: short}},
		{"not quite ids", "0::/x/" + id[:63] + "/" + strings.ToUpper(id) + "/.service\n", home{}},
		{"garbage", "::\nabc\n0:/x.service\n", home{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := parseCgroup(tt.content); got != tt.want {
				t.Errorf("got %+v, want %+v", got, tt.want)
			}
		})
	}
}
