// SPDX-License-Identifier: Apache-2.0

package discovery

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nstar-project/nstar/exporters/nstar/config"
)

// at is a listener from "ADDRESS:PORT" or, in another namespace, "NETNS/ADDRESS:PORT".
func at(s string) Listener {
	ns := uint32(1)
	if rest, ok := strings.CutPrefix(s, "2/"); ok {
		ns, s = 2, rest
	}
	ap := netip.MustParseAddrPort(s)
	return Listener{NetNS: ns, Addr: ap.Addr(), Port: ap.Port()}
}

// listening is the world of the cases below, by inode.
var listening = map[uint64]Listener{
	80: at("0.0.0.0:80"), 443: at("[::]:443"), 8009: at("127.0.0.1:8009"), 8080: at("[::]:8080"),
	3306: at("127.0.0.1:3306"), 22: at("0.0.0.0:22"), 9100: at("[::]:9100"),
	180: at("2/0.0.0.0:80"), 1080: at("0.0.0.0:80"), 81: at("127.0.0.1:80"),
}

// proc is a process; an older one has a lower pid.
func proc(pid int32, comm string, listens ...uint64) *process {
	return &process{identity: identity{pid: pid, start: uint64(pid), comm: comm}, listens: listens}
}

func in(h home, p *process) *process {
	p.home = h
	return p
}

func TestTiers(t *testing.T) {
	java := proc(20, "java", 8009, 8080)
	java.jvm = true
	tier := func(name string, pids []int32, places ...string) Tier {
		out := Tier{App: "default", Name: name, Protocol: config.Auto, PIDs: pids}
		for _, p := range places {
			out.Listeners = append(out.Listeners, at(p))
		}
		return out
	}
	with := func(t Tier, change func(*Tier)) Tier { change(&t); return t }

	tests := []struct {
		name   string
		procs  []*process
		config string
		want   []Tier
	}{
		{"nothing", nil, "", nil},
		{"one process, two ports", []*process{proc(5, "nginx", 443, 80)}, "",
			[]Tier{tier("nginx", []int32{5}, "0.0.0.0:80", "[::]:443")}},
		{"workers share the server's sockets", []*process{proc(7, "apache2", 80), proc(6, "apache2", 443, 80),
			proc(5, "apache2", 80, 443)}, "",
			[]Tier{tier("apache2", []int32{5, 6, 7}, "0.0.0.0:80", "[::]:443")}},
		{"two workers of one port, one of another", []*process{proc(5, "app", 80), proc(6, "app", 80, 443),
			proc(7, "app", 443)}, "",
			[]Tier{tier("app", []int32{5, 6, 7}, "0.0.0.0:80", "[::]:443")}},
		{"starter holds the socket for its workers", []*process{proc(5, "start_server", 80), proc(6, "plackup", 80)},
			"",
			[]Tier{tier("start_server", []int32{5, 6}, "0.0.0.0:80")}},
		{"separate sockets in one place", []*process{proc(5, "envoy", 80), proc(6, "envoy", 1080)}, "",
			[]Tier{tier("envoy", []int32{5, 6}, "0.0.0.0:80")}},
		{"systemd glues nothing", []*process{proc(1, "systemd", 22, 80, 3306), proc(5, "sshd", 22),
			proc(6, "nginx", 80)}, "",
			[]Tier{tier("nginx", []int32{6}, "0.0.0.0:80"), tier("sshd", []int32{5}, "0.0.0.0:22")}},
		{"a leaked socket glues nothing", []*process{proc(5, "nginx", 80), proc(6, "java", 80, 8080)}, "",
			[]Tier{tier("java", []int32{6}, "[::]:8080"), tier("nginx", []int32{5}, "0.0.0.0:80")}},
		{"first process of a container", []*process{proc(1, "httpd", 80), proc(6, "httpd", 80)}, "",
			[]Tier{tier("httpd", []int32{1, 6}, "0.0.0.0:80")}},
		{"named by the oldest", []*process{in(home{unit: "web.service", name: "web"}, proc(5, "nginx", 80)),
			proc(6, "nginx", 80)}, "",
			[]Tier{tier("web", []int32{5, 6}, "0.0.0.0:80")}},
		{"equal names, unrelated", []*process{proc(5, "java", 8080, 8009), proc(6, "java", 9100)}, "",
			[]Tier{tier("java", []int32{5}, "127.0.0.1:8009", "[::]:8080"),
				tier("java:9100", []int32{6}, "[::]:9100")}},
		{"equal names and ports in two namespaces", []*process{proc(5, "nginx", 80), proc(6, "nginx", 180)}, "",
			[]Tier{tier("nginx", []int32{5}, "0.0.0.0:80"), tier("nginx:80", []int32{6}, "2/0.0.0.0:80")}},
		{"equal names and ports on two addresses", []*process{proc(5, "nginx", 80), proc(6, "nginx", 81)}, "",
			[]Tier{tier("nginx", []int32{5}, "0.0.0.0:80"), tier("nginx:80", []int32{6}, "127.0.0.1:80")}},
		{"protocol of MySQL", []*process{proc(5, "mariadbd", 3306)}, "",
			[]Tier{with(tier("mariadbd", []int32{5}, "127.0.0.1:3306"), func(t *Tier) { t.Protocol = config.MySQL })}},
		{"protocol of PostgreSQL", []*process{proc(5, "postgres", 3306)}, "",
			[]Tier{with(tier("postgres", []int32{5}, "127.0.0.1:3306"),
				func(t *Tier) { t.Protocol = config.Postgres })}},
		{"protocol of Redis", []*process{proc(5, "redis-server", 3306)}, "",
			[]Tier{with(tier("redis-server", []int32{5}, "127.0.0.1:3306"),
				func(t *Tier) { t.Protocol = config.Redis })}},
		{"protocol of the rule", []*process{proc(5, "mysqld", 3306)},
			"tiers: [{name: db, match: {port: 3306}, protocol: turns}]",
			[]Tier{with(tier("db", []int32{5}, "127.0.0.1:3306"), func(t *Tier) { t.Protocol = config.Turns })}},
		{"rule by port leaves the other ports out", []*process{java, proc(5, "nginx", 80)},
			"tiers: [{name: tomcat, app: bboard, match: {port: 8009}, protocol: ajp}]",
			[]Tier{with(tier("tomcat", []int32{20}, "127.0.0.1:8009"),
				func(t *Tier) { t.App, t.Protocol, t.JVM = "bboard", "ajp", true }),
				tier("nginx", []int32{5}, "0.0.0.0:80")}},
		{"rule by command takes all ports", []*process{java}, "tiers: [{name: tomcat, match: {command: java}}]",
			[]Tier{with(tier("tomcat", []int32{20}, "127.0.0.1:8009", "[::]:8080"), func(t *Tier) { t.JVM = true })}},
		{"rules split a process", []*process{java},
			"tiers: [{name: ajp, match: {port: 8009}}, {name: web, match: {command: java}}]",
			[]Tier{with(tier("ajp", []int32{20}, "127.0.0.1:8009"), func(t *Tier) { t.JVM = true }),
				with(tier("web", []int32{20}, "[::]:8080"), func(t *Tier) { t.JVM = true })}},
		{"one rule, two servers", []*process{proc(5, "java", 8009), proc(6, "java", 8080)},
			"tiers: [{name: app, match: {command: java}}]",
			[]Tier{tier("app", []int32{5, 6}, "127.0.0.1:8009", "[::]:8080")}},
		{"one rule, two servers by port", []*process{proc(5, "java", 8009, 9100), proc(6, "java", 8080)},
			"tiers: [{name: app, match: [{port: 8009}, {port: 8080}]}]",
			[]Tier{tier("app", []int32{5, 6}, "127.0.0.1:8009", "[::]:8080")}},
		{"all of a match must hold", []*process{proc(5, "java", 8080)},
			"tiers: [{name: a, match: {port: 8080, command: ruby}}, {name: b, match: {port: 8080, address: " +
				"127.0.0.1}}]",
			[]Tier{tier("java", []int32{5}, "[::]:8080")}},
		{"by address", []*process{proc(5, "a", 80), proc(6, "a", 81)},
			"tiers: [{name: local, match: {address: 127.0.0.1}}]",
			[]Tier{tier("a", []int32{5}, "0.0.0.0:80"), tier("local", []int32{6}, "127.0.0.1:80")}},
		{"by unit and container", []*process{
			in(home{unit: "web.service", name: "web"}, proc(5, "x", 80)),
			in(home{container: "abcdef", name: "abcdef"}, proc(6, "x", 443)), proc(7, "x", 22),
		}, "tiers: [{name: u, match: {unit: web}}, {name: c, match: {container: abc}}]",
			[]Tier{tier("c", []int32{6}, "[::]:443"), tier("u", []int32{5}, "0.0.0.0:80"),
				tier("x", []int32{7}, "0.0.0.0:22")}},
		{"by a worker's command", []*process{proc(5, "start_server", 80), proc(6, "plackup", 80)},
			"tiers: [{name: perl, match: {command: plackup}}]",
			[]Tier{tier("perl", []int32{5, 6}, "0.0.0.0:80")}},
		{"ignored", []*process{proc(5, "sshd", 22), proc(6, "java", 8080, 9100)},
			"ignore: [{command: sshd}, {port: 9100}]",
			[]Tier{tier("java", []int32{6}, "[::]:8080")}},
		{"nothing but what rules name", []*process{proc(5, "sshd", 22), proc(6, "java", 8080)},
			"only_tiers: true\ntiers: [{name: app, match: {port: 8080}}]",
			[]Tier{tier("app", []int32{6}, "[::]:8080")}},
		{"a rule wins over ignore", []*process{proc(5, "sshd", 22)},
			"ignore: [{command: sshd}]\ntiers: [{name: ssh, match: {port: 22}}]",
			[]Tier{tier("ssh", []int32{5}, "0.0.0.0:22")}},
		{"a rule's name is taken", []*process{proc(5, "java", 8009), proc(6, "java", 8080)},
			"tiers: [{name: java, match: {port: 8009}}]",
			[]Tier{tier("java", []int32{5}, "127.0.0.1:8009"), tier("java:8080", []int32{6}, "[::]:8080")}},
		{"socket that closed meanwhile", []*process{proc(5, "java", 12345)}, "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			cfg, err := config.Parse("test.yml", []byte(tt.config))
			if err != nil {
				t.Fatal(err)
			}
			got := tiers(groups(tt.procs, listening), cfg, newNames())
			if diff := cmp.Diff(tt.want, got, compare, cmpopts.EquateEmpty(),
				cmpopts.IgnoreFields(Tier{}, "Ruled", "Owner", "Start")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A rule's tiers are distinguished from others, and tiers of users and containers from root's.
func TestOwners(t *testing.T) {
	user := proc(5, "mine", 80)
	user.user = 1000
	container := in(home{container: "4f1c", name: "4f1c"}, proc(6, "web", 443))
	container.user = 1000
	rule, err := config.Parse("f", []byte("tiers: [{name: db, match: {port: 3306}}]"))
	if err != nil {
		t.Fatal(err)
	}
	procs := []*process{user, container, proc(7, "java", 8080), proc(8, "mysqld", 3306)}
	got := make(map[string]Tier)
	for _, tier := range tiers(groups(procs, listening), rule, newNames()) {
		got[tier.Name] = Tier{Ruled: tier.Ruled, Owner: tier.Owner}
	}
	want := map[string]Tier{"mine": {Owner: "user 1000"}, "4f1c": {Owner: "container 4f1c"}, "java": {},
		"db": {Ruled: true}}
	if diff := cmp.Diff(want, got, cmpopts.EquateComparable(netip.Addr{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
