// SPDX-License-Identifier: Apache-2.0

package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/nstar-project/nstar/exporters/nstar/kinds"
)

// Parse checks data as the content of a file called name, which appears in
// errors only. An empty file is valid. The error is one line, for example
//
//	nstar.yml:7: tiers[1].match.port: 70000 is not a port (1 to 65535)
func Parse(name string, data []byte) (*Config, error) {
	root, err := document(data)
	if err != nil {
		return nil, syntaxError(name, err)
	}
	c := &Config{}
	if root == nil {
		return c, nil
	}
	if err := c.read(value{node: root}); err != nil {
		var at *fieldError
		if errors.As(err, &at) {
			return nil, fmt.Errorf("%s:%w", name, at)
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

// document is the root node of the only document in data, nil if it is empty.
func document(data []byte) (*yaml.Node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var first, second yaml.Node
	if err := dec.Decode(&first); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, nil
		}
		return nil, err
	}
	switch err := dec.Decode(&second); {
	case err == nil:
		return nil, &fieldError{line: second.Line, text: "a second document begins here; keep everything in one"}
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	if len(first.Content) == 0 {
		return nil, nil
	}
	return first.Content[0], nil
}

// yamlLine finds the line number in the messages of the YAML library.
var yamlLine = regexp.MustCompile(`^(?:yaml: )?(?:line (\d+): )?`)

// syntaxError brings an error of the YAML library into the form file:line: text.
func syntaxError(name string, err error) error {
	var at *fieldError
	if errors.As(err, &at) {
		return fmt.Errorf("%s:%w", name, at)
	}
	text := strings.Join(strings.Fields(err.Error()), " ")
	m := yamlLine.FindStringSubmatch(text)
	text = strings.TrimPrefix(text, m[0])
	if m[1] == "" {
		return fmt.Errorf("%s: not YAML: %s", name, text)
	}
	return fmt.Errorf("%s:%s: not YAML: %s", name, m[1], text)
}

func (c *Config) read(v value) error {
	return v.mapping(fields{
		"tiers":   func(v value) error { return v.sequence(c.readTier) },
		"ignore":  func(v value) error { return v.sequence(c.readIgnore) },
		"remotes": func(v value) error { return v.sequence(c.readRemote) },

		"only_tiers": func(v value) error { return v.flag(&c.OnlyTiers) },
	})
}

func (c *Config) readTier(v value) error {
	rule := TierRule{App: DefaultApp, Protocol: Auto}
	var name, match value
	err := v.mapping(fields{
		"name":     func(v value) error { name = v; return v.text(&rule.Name) },
		"app":      func(v value) error { return v.text(&rule.App) },
		"match":    func(v value) error { match = v; return c.readMatches(v, &rule) },
		"protocol": func(v value) error { return readProtocol(v, &rule.Protocol) },

		"base_residence":   func(v value) error { return v.duration(&rule.BaseResidence) },
		"saturation_point": func(v value) error { return v.queueLength(&rule.SaturationPoint) },

		"kinds": func(v value) error { return v.sequence(rule.readKind) },
	})
	switch {
	case err != nil:
		return err
	case rule.Name == "":
		return v.errorf("has no name; add the line `name: ...`")
	case match.node == nil:
		return v.errorf("has no match; add `match:` with port, address, socket, command, unit or container")
	}
	for i, other := range c.Tiers {
		if other.App == rule.App && other.Name == rule.Name {
			return name.errorf("%q is already the name of tiers[%d] in the app %q; a tier of several listeners has a "+
				"list under `match`", rule.Name, i, rule.App)
		}
	}
	c.Tiers = append(c.Tiers, rule)
	return nil
}

// readMatches reads one match, or a list of them.
func (c *Config) readMatches(v value, rule *TierRule) error {
	one := func(v value) error {
		var m Match
		if err := readMatch(v, &m); err != nil {
			return err
		}
		for i, other := range c.Tiers {
			if slices.Contains(other.Match, m) {
				return v.errorf("selects the same as tiers[%d], which comes first; this one would never be used", i)
			}
		}
		if slices.Contains(rule.Match, m) {
			return v.errorf("is given twice")
		}
		rule.Match = append(rule.Match, m)
		return nil
	}
	if v.resolved().Kind != yaml.SequenceNode {
		return one(v)
	}
	if err := v.sequence(one); err != nil {
		return err
	}
	if len(rule.Match) == 0 {
		return v.errorf("is empty; give at least one entry with port, address, socket, command, unit or container")
	}
	return nil
}

func (t *TierRule) readKind(v value) error {
	var k Kind
	var request value
	err := v.mapping(fields{
		"request":      func(v value) error { request = v; return v.text(&k.Request) },
		"service_time": func(v value) error { return v.duration(&k.ServiceTime) },
	})
	switch {
	case err != nil:
		return err
	case k.Request == "":
		return v.errorf("has no request; add the line `request: GET /path/{id}` or `request: SELECT`")
	case k.Request == kinds.Other:
		return request.errorf("%q is what fits no kind", k.Request)
	case len(t.Kinds) == kinds.Max-1:
		return v.errorf("is one too many: a tier can have %d kinds", kinds.Max-1)
	case slices.ContainsFunc(t.Kinds, func(o Kind) bool { return o.Request == k.Request }):
		return request.errorf("%q is given twice", k.Request)
	}
	if _, err := kinds.Parse(k.Request); err != nil {
		return request.errorf("%q %v", k.Request, err)
	}
	t.Kinds = append(t.Kinds, k)
	return nil
}

func (c *Config) readIgnore(v value) error {
	var m Match
	if err := readMatch(v, &m); err != nil {
		return err
	}
	c.Ignore = append(c.Ignore, m)
	return nil
}

func (c *Config) readRemote(v value) error {
	r := Remote{Protocol: Auto}
	var address value
	err := v.mapping(fields{
		"name":     func(v value) error { return v.text(&r.Name) },
		"address":  func(v value) error { address = v; return v.addrPort(&r.Address) },
		"protocol": func(v value) error { return readProtocol(v, &r.Protocol) },
	})
	switch {
	case err != nil:
		return err
	case r.Name == "":
		return v.errorf("has no name; add the line `name: ...`")
	case address.node == nil:
		return v.errorf("has no address; add the line `address: IP:PORT`")
	}
	for i, other := range c.Remotes {
		if other.Address == r.Address {
			return address.errorf("%s is already the address of remotes[%d]", r.Address, i)
		}
	}
	c.Remotes = append(c.Remotes, r)
	return nil
}

func readMatch(v value, m *Match) error {
	err := v.mapping(fields{
		"port":      func(v value) error { return v.port(&m.Port) },
		"address":   func(v value) error { return v.addr(&m.Address) },
		"socket":    func(v value) error { return v.socket(&m.Socket) },
		"command":   func(v value) error { return v.text(&m.Command) },
		"unit":      func(v value) error { return v.pattern(&m.Unit) },
		"container": func(v value) error { return v.pattern(&m.Container) },
	})
	if err == nil && *m == (Match{}) {
		return v.errorf("is empty; give at least one of port, address, socket, command, unit, container")
	}
	return err
}

func readProtocol(v value, p *Protocol) error {
	var s string
	if err := v.text(&s); err != nil {
		return err
	}
	if !slices.Contains(protocols, Protocol(s)) {
		names := make([]string, len(protocols))
		for i, p := range protocols {
			names[i] = string(p)
		}
		return v.errorf("%q is not a protocol (%s)", s, strings.Join(names, ", "))
	}
	*p = Protocol(s)
	return nil
}
