// SPDX-License-Identifier: Apache-2.0

package config

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// netip types have no exported fields and compare with ==.
var compareNetip = cmpopts.EquateComparable(netip.Addr{}, netip.AddrPort{})

func TestParse(t *testing.T) {
	tests := []struct {
		name, in string
		want     Config
	}{
		{"empty file", "", Config{}},
		{"comments only", "# nothing yet\n", Config{}},
		{"null sections", "tiers:\nignore: ~\nremotes: null\n", Config{}},
		{"defaults of a tier", "tiers:\n- {name: web, match: {port: 80}}\n", Config{
			Tiers: []TierRule{{App: "default", Name: "web", Protocol: Auto, Match: []Match{{Port: 80}}}},
		}},
		{"every field", `
tiers:
  - name: tomcat
    app: bboard
    match:
      port: "18009"
      address: ::ffff:127.0.0.1
      command: java
      unit: tomcat10.service
      container: abc
    protocol: ajp
    base_residence: 2.5ms
    saturation_point: 7.5
ignore: [{command: sshd}, {port: 9100}, {socket: /run/app.sock}]
remotes:
  - {name: mariadb, address: "10.0.0.5:3306"}
  - {name: mariadb, address: "[2001:db8::5]:3306", protocol: mysql}
`, Config{
			Tiers: []TierRule{{
				App: "bboard", Name: "tomcat", Protocol: AJP, BaseResidence: 2500 * time.Microsecond,
				SaturationPoint: 7.5,
				Match: []Match{{
					Port: 18009, Address: netip.MustParseAddr("127.0.0.1"), Command: "java",
					Unit: "tomcat10.service", Container: "abc",
				}},
			}},
			Ignore: []Match{{Command: "sshd"}, {Port: 9100}, {Socket: "/run/app.sock"}},
			Remotes: []Remote{
				{Name: "mariadb", Address: netip.MustParseAddrPort("10.0.0.5:3306"), Protocol: Auto},
				{Name: "mariadb", Address: netip.MustParseAddrPort("[2001:db8::5]:3306"), Protocol: MySQL},
			},
		}},
		{"several listeners", "tiers:\n- name: app\n  match:\n  - {port: 8001}\n  - {port: 8002}\n  - {container: " +
			"app-3}\n", Config{
			Tiers: []TierRule{{App: "default", Name: "app", Protocol: Auto,
				Match: []Match{{Port: 8001}, {Port: 8002}, {Container: "app-3"}}}},
		}},
		{"one name in two apps, anchors", `
tiers:
  - {name: db, app: a, match: &here {port: 1}}
  - {name: db, app: b, match: {port: 2}}
ignore: [*here]
`, Config{
			Tiers: []TierRule{
				{App: "a", Name: "db", Protocol: Auto, Match: []Match{{Port: 1}}},
				{App: "b", Name: "db", Protocol: Auto, Match: []Match{{Port: 2}}},
			},
			Ignore: []Match{{Port: 1}},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Parse("nstar.yml", []byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&tt.want, got, compareNetip); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	const tier = "tiers:\n- name: a\n  match: {port: 1}\n"
	tests := []struct{ name, in, want string }{
		{"port", tier + "- name: b\n  match:\n    command: java\n    port: 70000\n",
			"nstar.yml:7: tiers[1].match.port: 70000 is not a port (1 to 65535)"},
		{"port zero", "ignore:\n- port: 0", "nstar.yml:2: ignore[0].port: 0 is not a port (1 to 65535)"},
		{"only_tiers", "only_tiers: sometimes", "nstar.yml:1: only_tiers: sometimes is neither true nor false"},
		{"port text", "ignore:\n- port: http", "nstar.yml:2: ignore[0].port: http is not a port (1 to 65535)"},
		{"socket", "ignore:\n- socket: app.sock",
			"nstar.yml:2: ignore[0].socket: app.sock is not the path of a socket, such as /run/php/php8.2-fpm.sock"},
		{"unknown field", "tier: []\n",
			`nstar.yml:1: unknown field "tier" (known: ignore, only_tiers, remotes, tiers)`},
		{"unknown field below", tier + "  proto: http\n",
			`nstar.yml:4: tiers[0]: unknown field "proto" (known: app, base_residence, kinds, match, name, protocol, saturation_point)`},
		{"twice", tier + "tiers: []\n", "nstar.yml:4: tiers: given twice"},
		{"duplicate name", tier + "- match: {port: 2}\n  name: a\n",
			`nstar.yml:5: tiers[1].name: "a" is already the name of tiers[0] in the app "default"; a tier of several listeners has a list under ` + "`match`"},
		{"duplicate match", tier + "- name: b\n  match: {port: 1}\n",
			"nstar.yml:5: tiers[1].match: selects the same as tiers[0], which comes first; this one would never be " +
				"used"},
		{"duplicate match in lists", "tiers:\n- name: a\n  match: [{port: 1}, {port: 2}]\n- name: b\n  match:\n  - " +
			"port: 3\n  - port: 2\n",
			"nstar.yml:7: tiers[1].match[1]: selects the same as tiers[0], which comes first; this one would never " +
				"be used"},
		{"match given twice", "tiers:\n- name: a\n  match: [{port: 1}, {port: 1}]\n",
			"nstar.yml:3: tiers[0].match[1]: is given twice"},
		{"no match in a list", "tiers:\n- name: a\n  match: []\n",
			"nstar.yml:3: tiers[0].match: is empty; give at least one entry with port, address, socket, command, " +
				"unit or container"},
		{"empty match in a list", "tiers:\n- name: a\n  match: [{port: 1}, {}]\n",
			"nstar.yml:3: tiers[0].match[1]: is empty; give at least one of port, address, socket, command, unit, " +
				"container"},
		{"no name", "tiers:\n- match: {port: 1}\n", "nstar.yml:2: tiers[0]: has no name; add the line `name: ...`"},
		{"bad pattern", "tiers:\n- name: a\n  match: {container: 'shop/[ab'}\n",
			"nstar.yml:3: tiers[0].match.container: \"shop/[ab\" is neither a name nor a pattern like " +
				"shop/cart-*/app: a [ is not closed, or a \\ ends it"},
		{"empty name", "tiers:\n- name:\n", "nstar.yml:2: tiers[0].name: is empty"},
		{"control character", `tiers: [{name: "a\nb"}]`,
			`nstar.yml:1: tiers[0].name: "a\nb" contains a control character`},
		{"name is a list", "tiers:\n- name: [a]\n",
			"nstar.yml:2: tiers[0].name: expected one word, not a list or fields"},
		{"no match", "tiers:\n- name: a\n",
			"nstar.yml:2: tiers[0]: has no match; add `match:` with port, address, socket, command, unit or container"},
		{"empty match", "tiers:\n- name: a\n  match: {}\n",
			"nstar.yml:3: tiers[0].match: is empty; give at least one of port, address, socket, command, unit, " +
				"container"},
		{"null match", "ignore:\n- ~\n",
			"nstar.yml:2: ignore[0]: is empty; give at least one of port, address, socket, command, unit, container"},
		{"protocol", tier + "  protocol: http3\n",
			`nstar.yml:4: tiers[0].protocol: "http3" is not a protocol (auto, http, ajp, mysql, tls, turns, opaque, postgres, redis, http2, fastcgi, kafka, cassandra, mongodb, memcached, openwire, dubbo)`},
		{"base residence", tier + "  base_residence: 3\n",
			"nstar.yml:4: tiers[0].base_residence: 3 is not a duration, such as 3ms or 1.5s"},
		{"kind without a request", tier + "  kinds: [{service_time: 3ms}]\n",
			"nstar.yml:4: tiers[0].kinds[0]: has no request; add the line `request: GET /path/{id}` or `request: " +
				"SELECT`"},
		{"kind twice", tier + "  kinds: [{request: SELECT}, {request: SELECT}]\n",
			`nstar.yml:4: tiers[0].kinds[1].request: "SELECT" is given twice`},
		{"kind that is the rest", tier + "  kinds: [{request: other}]\n",
			`nstar.yml:4: tiers[0].kinds[0].request: "other" is what fits no kind`},
		{"kind with a query", tier + "  kinds: [{request: '/a?b=1'}]\n",
			`nstar.yml:4: tiers[0].kinds[0].request: "/a?b=1" has a query; kinds are told by the path alone`},
		{"kind that stands in no queue", tier + "  kinds: [{request: Kafka Fetch}]\n",
			`nstar.yml:4: tiers[0].kinds[0].request: "Kafka Fetch" waits on purpose for what others do, and is counted in nstar_tier_waits_total only`},
		{"kinds beyond the number", tier + "  kinds: [" + manyKinds(16) + "]\n",
			"nstar.yml:4: tiers[0].kinds[15]: is one too many: a tier can have 15 kinds"},
		{"saturation point", tier + "  saturation_point: 0.5\n",
			"nstar.yml:4: tiers[0].saturation_point: 0.5 is not a queue length (1 or more)"},
		{"address", "ignore:\n- address: localhost\n",
			"nstar.yml:2: ignore[0].address: localhost is not an IP address"},
		{"address with port", "ignore:\n- address: 10.0.0.1:80\n",
			"nstar.yml:2: ignore[0].address: 10.0.0.1:80 is an address and a port; give the port as `port:`"},
		{"container", "ignore:\n- container: [web-1]\n",
			"nstar.yml:2: ignore[0].container: expected one word, not a list or fields"},
		{"remote without address", "remotes:\n- name: db\n",
			"nstar.yml:2: remotes[0]: has no address; add the line `address: IP:PORT`"},
		{"remote without name", "remotes:\n- address: 10.0.0.5:1\n",
			"nstar.yml:2: remotes[0]: has no name; add the line `name: ...`"},
		{"remote without port", "remotes:\n- name: db\n  address: 10.0.0.5\n",
			"nstar.yml:3: remotes[0].address: 10.0.0.5 is not an IP address and port, such as 10.0.0.5:3306 or " +
				"[2001:db8::5]:3306"},
		{"remote twice", "remotes:\n- {name: a, address: '10.0.0.5:1'}\n- {name: b, address: '[::ffff:10.0.0.5]:1'}\n",
			"nstar.yml:3: remotes[1].address: 10.0.0.5:1 is already the address of remotes[0]"},
		{"list expected", "tiers: {name: a}\n", "nstar.yml:1: tiers: expected a list (lines that begin with `- `)"},
		{"fields expected", "- a\n", "nstar.yml:1: expected fields (ignore, only_tiers, remotes, tiers)"},
		{"second document", "tiers:\n---\nignore:\n",
			"nstar.yml:2: a second document begins here; keep everything in one"},
		{"syntax", "tiers:\n\t- name: a\n", "nstar.yml:2: not YAML: found character that cannot start any token"},
		{"not UTF-8", "tiers: \xff\n", "nstar.yml: not YAML: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("nstar.yml", []byte(tt.in))
			if err == nil {
				t.Fatalf("no error, want %q", tt.want)
			}
			got := err.Error()
			if strings.Contains(got, "\n") {
				t.Errorf("more than one line: %q", got)
			}
			// The YAML library's own words are not ours to pin to the end.
			if strings.Contains(tt.want, "not YAML") && strings.HasPrefix(got, tt.want) {
				return
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestRemoteName(t *testing.T) {
	c, err := Parse("", []byte("remotes: [{name: db, address: '10.0.0.5:3306'}]"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		config *Config
		addr   string
		want   string
	}{
		{c, "10.0.0.5:3306", "db"},
		{c, "[::ffff:10.0.0.5]:3306", "db"},
		{c, "10.0.0.5:3307", ""},
		{nil, "10.0.0.5:3306", ""},
	}
	for _, tt := range tests {
		got, ok := tt.config.RemoteName(netip.MustParseAddrPort(tt.addr))
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("RemoteName(%s) = %q, %v, want %q", tt.addr, got, ok, tt.want)
		}
	}
}

func TestLoadExample(t *testing.T) {
	c, err := Load("../nstar.example.yml")
	if err != nil {
		t.Fatal(err)
	}
	if got := [3]int{len(c.Tiers), len(c.Ignore), len(c.Remotes)}; got != [3]int{7, 2, 2} {
		t.Errorf("tiers, ignore, remotes = %v, want 7, 2, 2", got)
	}
	overUnix := func(rule TierRule) bool {
		return slices.ContainsFunc(rule.Match, func(m Match) bool { return m.Socket != "" })
	}
	if !slices.ContainsFunc(c.Tiers, overUnix) {
		t.Error("no tier of the example is found by its Unix socket")
	}
}

func TestLoadErrors(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large.yml")
	if err := os.WriteFile(large, make([]byte, maxFileBytes+1), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "absent.yml"): "no such file",
		dir:                              "is a directory",
		large:                            "larger than",
	} {
		if _, err := Load(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Load(%s) = %v, want %q", path, err, want)
		}
	}
}

func manyKinds(n int) string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("{request: /%d}", i))
	}
	return strings.Join(out, ", ")
}

func TestKinds(t *testing.T) {
	c, err := Parse("nstar.yml", []byte("tiers: [{name: web, match: {port: 80}, kinds: [{request: 'GET /users/{id}', "+
		"service_time: 3ms}, {request: SELECT}]}]"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Kind{{Request: "GET /users/{id}", ServiceTime: 3 * time.Millisecond}, {Request: "SELECT"}}
	if !slices.Equal(c.Tiers[0].Kinds, want) || !c.HasKinds() {
		t.Errorf("%+v", c.Tiers[0])
	}
	if (&Config{Tiers: []TierRule{{}}}).HasKinds() || (*Config)(nil).HasKinds() {
		t.Error("kinds where none are asked for")
	}
}
