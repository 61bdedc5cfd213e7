// SPDX-License-Identifier: Apache-2.0

package config

import (
	"fmt"
	"maps"
	"math"
	"net/netip"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"go.yaml.in/yaml/v3"
)

// A value is a node of the file together with the path of fields that led to it. Because nodes are read by
// hand, and not decoded into structs, every error can name its line and field. The library's KnownFields
// can't do that: it names the Go type instead of the path and the known fields, it stops at values that read
// themselves, and its errors for values name no field.
type value struct {
	node *yaml.Node
	path string
}

// fields are the known keys of a mapping, with the function that reads each.
type fields map[string]func(value) error

// fieldError is a mistake at a place in the file. It prints without the file's
// name, which Parse puts in front.
type fieldError struct {
	line int
	path string
	text string
}

func (e *fieldError) Error() string {
	if e.path == "" {
		return fmt.Sprintf("%d: %s", e.line, e.text)
	}
	return fmt.Sprintf("%d: %s: %s", e.line, e.path, e.text)
}

func (v value) errorf(format string, args ...any) error {
	return &fieldError{line: v.node.Line, path: v.path, text: fmt.Sprintf(format, args...)}
}

// resolved is the node behind an alias (*name). YAML allows no alias to an
// alias, so one step is enough.
func (v value) resolved() *yaml.Node {
	if v.node.Kind == yaml.AliasNode && v.node.Alias != nil {
		return v.node.Alias
	}
	return v.node
}

// isNull reports whether the value was left out, as in "tiers:" with nothing below.
func (v value) isNull() bool {
	n := v.resolved()
	return n.Kind == yaml.ScalarNode && n.Tag == "!!null"
}

// mapping reads every key with its reader and refuses unknown and repeated keys.
func (v value) mapping(known fields) error {
	n := v.resolved()
	if v.isNull() {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return v.errorf("expected fields (%s)", names(known))
	}
	seen := make(map[string]bool, len(known))
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		at := value{node: n.Content[i], path: join(v.path, key)}
		read, ok := known[key]
		switch {
		case !ok:
			at.path = v.path
			return at.errorf("unknown field %q (known: %s)", key, names(known))
		case seen[key]:
			return at.errorf("given twice")
		}
		seen[key] = true
		if err := read(value{node: n.Content[i+1], path: at.path}); err != nil {
			return err
		}
	}
	return nil
}

// sequence reads the items of a list in order.
func (v value) sequence(read func(value) error) error {
	n := v.resolved()
	if v.isNull() {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		return v.errorf("expected a list (lines that begin with `- `)")
	}
	for i, item := range n.Content {
		if err := read(value{node: item, path: fmt.Sprintf("%s[%d]", v.path, i)}); err != nil {
			return err
		}
	}
	return nil
}

// text reads a name: it ends up in a label, so it must be visible text.
func (v value) text(to *string) error {
	n := v.resolved()
	switch {
	case n.Kind != yaml.ScalarNode:
		return v.errorf("expected one word, not a list or fields")
	case strings.TrimSpace(n.Value) == "" || v.isNull():
		return v.errorf("is empty")
	case strings.ContainsFunc(n.Value, unicode.IsControl):
		return v.errorf("%q contains a control character", n.Value)
	}
	*to = n.Value
	return nil
}

// pattern reads a name in which * stands for any text without a slash, ? for one character, and [...] for one of some.
func (v value) pattern(to *string) error {
	if err := v.text(to); err != nil {
		return err
	}
	if _, err := path.Match(*to, ""); err != nil {
		return v.errorf("%q is neither a name nor a pattern like shop/cart-*/app: a [ is not closed, or a \\ ends it",
			*to)
	}
	return nil
}

func (v value) flag(to *bool) error {
	var s string
	if err := v.text(&s); err != nil {
		return err
	}
	if s != "true" && s != "false" {
		return v.errorf("%s is neither true nor false", s)
	}
	*to = s == "true"
	return nil
}

func (v value) port(to *uint16) error {
	var s string
	if err := v.text(&s); err != nil {
		return err
	}
	p, err := strconv.ParseUint(s, 10, 16)
	if err != nil || p == 0 {
		return v.errorf("%s is not a port (1 to 65535)", s)
	}
	*to = uint16(p)
	return nil
}

// socket reads the path of a Unix socket.
func (v value) socket(to *string) error {
	var s string
	if err := v.text(&s); err != nil {
		return err
	}
	if !strings.HasPrefix(s, "/") {
		return v.errorf("%s is not the path of a socket, such as /run/php/php8.2-fpm.sock", s)
	}
	*to = s
	return nil
}

func (v value) addr(to *netip.Addr) error {
	var s string
	if err := v.text(&s); err != nil {
		return err
	}
	a, err := netip.ParseAddr(s)
	if err != nil || a.Zone() != "" {
		if _, err := netip.ParseAddrPort(s); err == nil {
			return v.errorf("%s is an address and a port; give the port as `port:`", s)
		}
		return v.errorf("%s is not an IP address", s)
	}
	*to = a.Unmap()
	return nil
}

func (v value) addrPort(to *netip.AddrPort) error {
	var s string
	if err := v.text(&s); err != nil {
		return err
	}
	a, err := netip.ParseAddrPort(s)
	if err != nil || a.Port() == 0 || a.Addr().Zone() != "" || a.Addr().IsUnspecified() {
		return v.errorf("%s is not an IP address and port, such as 10.0.0.5:3306 or [2001:db8::5]:3306", s)
	}
	*to = netip.AddrPortFrom(a.Addr().Unmap(), a.Port())
	return nil
}

// duration reads a time longer than none.
func (v value) duration(to *time.Duration) error {
	var s string
	if err := v.text(&s); err != nil {
		return err
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return v.errorf("%s is not a duration, such as 3ms or 1.5s", s)
	}
	*to = d
	return nil
}

// queueLength reads a number of requests; below one request a server is idle for a part of the time.
func (v value) queueLength(to *float64) error {
	var s string
	if err := v.text(&s); err != nil {
		return err
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || !(n >= 1) || math.IsInf(n, 0) {
		return v.errorf("%s is not a queue length (1 or more)", s)
	}
	*to = n
	return nil
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func names(known fields) string {
	return strings.Join(slices.Sorted(maps.Keys(known)), ", ")
}
