// SPDX-License-Identifier: Apache-2.0

// Package config reads the optional YAML file of nstar_exporter, which names
// tiers, groups them into applications, sets their protocols, ignores
// listeners, and names the far ends of edges on other hosts.
//
// Everything has a default: the nil *Config, the zero Config and an empty file
// all mean "every listening process is a tier of the app default".
package config

import (
	"fmt"
	"io"
	"net/netip"
	"os"
	"slices"
	"time"
)

// DefaultApp is the application of every tier that names none.
const DefaultApp = "default"

// MonitoringApp is the application of exporters, Prometheus and similar programs if no rule names one: they run
// beside an application and are no part of it.
const MonitoringApp = "monitoring"

// maxFileBytes bounds what Load reads, so that a wrong path (a log, a device)
// is an error at once and not an allocation of its size.
const maxFileBytes = 1 << 20

// Config is the whole file.
type Config struct {
	// Tiers are tried in the order of the file; the first that matches a
	// listener claims it.
	Tiers []TierRule
	// Ignore takes listeners out of the discovery. A tier rule that matches the same listener wins
	// because it names the listener on purpose.
	Ignore []Match
	// OnlyTiers says that a listener that no tier rule matches is no tier.
	OnlyTiers bool
	// Remotes name the destinations of edges that are on other hosts.
	Remotes []Remote
}

// TierRule says what a tier is called, how it is found, and which protocol it uses.
type TierRule struct {
	App, Name string
	// Match has one entry at least; a listener that any of them selects is the tier's. No two rules have the same
	// entry.
	Match    []Match
	Protocol Protocol
	// BaseResidence is R0, a request's time in the tier itself when there is little to do; 0 to learn it.
	BaseResidence time.Duration
	// SaturationPoint is N*, a length of the own queue; 0 to learn it.
	SaturationPoint float64
	// Kinds are the kinds of requests to distinguish, none by default; a request that fits none of them is
	// "other".
	Kinds []Kind
}

// Kind is a kind of request of a tier.
type Kind struct {
	// Request is a path template, the first word of a statement, a command, or a request of Kafka or CQL, as
	// kinds.Parse reads it; it is also the kind's name.
	Request string
	// ServiceTime is the time of such a request when there is little to do; 0 to learn it.
	ServiceTime time.Duration
}

// HasKinds reports whether any tier distinguishes kinds of requests. It may be called on a nil Config.
func (c *Config) HasKinds() bool {
	return c != nil && slices.ContainsFunc(c.Tiers, func(t TierRule) bool { return len(t.Kinds) > 0 })
}

// Match selects listeners. If the matches of a rule select no listener, they select processes that have no
// listener, unless a port or an address is given. All fields that are set must match; a zero field always
// matches. At least one is set in every Match that Parse returns.
type Match struct {
	// Port is the local TCP port of the listener; 0 means any.
	Port uint16
	// Address is the local address of the listener; the zero Addr means any.
	// 0.0.0.0 and :: select wildcard listeners only, as ss(8) shows them.
	Address netip.Addr
	// Socket is the path of a Unix socket; empty means any.
	Socket string
	// Command is the name of the process, as in /proc/PID/comm.
	Command string
	// Unit is the systemd unit, with or without ".service", or a pattern for path.Match.
	Unit string
	// Container is the container's name, a pattern for path.Match, or a prefix of its id in lower-case hex digits.
	Container string
}

// Remote names one address and port on another host.
type Remote struct {
	Name     string
	Address  netip.AddrPort
	Protocol Protocol
}

// Ignores reports whether the listeners that matches selects are no tiers, if no tier rule matches them.
func (c *Config) Ignores(matches func(Match) bool) bool {
	return c.OnlyTiers || slices.ContainsFunc(c.Ignore, matches)
}

// Names reports whether a rule names the listeners that matches selects.
func (c *Config) Names(matches func(Match) bool) bool {
	return c != nil && slices.ContainsFunc(c.Tiers,
		func(r TierRule) bool { return slices.ContainsFunc(r.Match, matches) })
}

// RemoteName is the name that the file gives to addr, if any. It may be called
// on a nil Config.
func (c *Config) RemoteName(addr netip.AddrPort) (string, bool) {
	if c == nil {
		return "", false
	}
	addr = netip.AddrPortFrom(addr.Addr().Unmap(), addr.Port())
	for _, r := range c.Remotes {
		if r.Address == addr {
			return r.Name, true
		}
	}
	return "", false
}

// Load reads and checks the file at path. The error is one line: the file, the
// line and the field where the first mistake is.
func Load(path string) (*Config, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the configuration file: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read the configuration file: %w", err)
	}
	if len(data) > maxFileBytes {
		return nil, fmt.Errorf("%s: larger than %d bytes, not a configuration of nstar_exporter", path, maxFileBytes)
	}
	return Parse(path, data)
}
