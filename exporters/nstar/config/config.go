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

// MonitoringApp is the application of exporters, Prometheus and the like where no rule names one: they run beside an
// application and are no part of it.
const MonitoringApp = "monitoring"

// maxFileBytes bounds what Load reads, so that a wrong path (a log, a device)
// is an error at once and not an allocation of its size.
const maxFileBytes = 1 << 20

// Config is the whole file.
type Config struct {
	// Tiers are tried in the order of the file; the first that matches a
	// listener claims it.
	Tiers []TierRule
	// Ignore takes listeners out of the discovery. A tier rule that matches the
	// same listener wins, since it names it on purpose.
	Ignore []Match
	// OnlyTiers says that what no tier rule matches is no tier.
	OnlyTiers bool
	// Remotes name the destinations of edges that are on other hosts.
	Remotes []Remote
}

// TierRule says what a tier is called, how it is found, and how it talks.
type TierRule struct {
	App, Name string
	// Match has one entry at least; a listener that any of them selects is the tier's. No two rules have the same
	// entry.
	Match    []Match
	Protocol Protocol
	// BaseResidence is R0, a request's time in the tier itself when there is little to do; 0 where it shall be learned.
	BaseResidence time.Duration
	// SaturationPoint is N*, a length of the own queue; 0 where it shall be learned.
	SaturationPoint float64
	// Kinds are the kinds of requests to be told apart, none by default; what fits none of them is "other".
	Kinds []Kind
}

// Kind is a kind of request of a tier.
type Kind struct {
	// Request is a path template, the first word of a statement, a command or what Kafka or CQL is asked, as
	// kinds.Parse reads it; it is the kind's name, too.
	Request string
	// ServiceTime is what such a request takes when there is little to do; 0 where it shall be learned.
	ServiceTime time.Duration
}

// HasKinds reports whether any tier tells kinds of requests apart. It may be called on a nil Config.
func (c *Config) HasKinds() bool {
	return c != nil && slices.ContainsFunc(c.Tiers, func(t TierRule) bool { return len(t.Kinds) > 0 })
}

// Match selects listeners, or, where those of a rule select none, processes that
// listen nowhere, unless a port or an address is asked for. All fields that are set must hold; a zero field
// holds always. At least one is set in every Match that Parse returns.
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
	// Unit is the systemd unit, with or without ".service".
	Unit string
	// Container is the container's name, or a prefix of its id in lower-case hex digits.
	Container string
}

// Remote names one address and port on another host.
type Remote struct {
	Name     string
	Address  netip.AddrPort
	Protocol Protocol
}

// Ignores reports whether listeners that no tier rule matches are no tiers, as far as matches selects them.
func (c *Config) Ignores(matches func(Match) bool) bool {
	return c.OnlyTiers || slices.ContainsFunc(c.Ignore, matches)
}

// Names reports whether a rule names what matches selects.
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
