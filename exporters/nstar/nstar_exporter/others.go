// SPDX-License-Identifier: Apache-2.0

package main

import (
	"cmp"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	promconfig "github.com/prometheus/common/config"

	"github.com/nstar-project/nstar/exporters/nstar/peers"
)

// others prepares to ask other exporters for names of tiers; nil if the flags don't want that.
func (f *flags) others(own []net.Listener, boot string, log *slog.Logger) (*peers.Peers, error) {
	if !f.peers {
		return nil, nil
	}
	o := peers.Options{Scheme: "http", Port: uint16(f.peersPort), Boot: boot, Given: f.peersGiven, Log: log}
	if tcp, ok := own[0].Addr().(*net.TCPAddr); ok {
		o.Port = cmp.Or(o.Port, uint16(tcp.Port))
	}
	// through no proxy: they are near
	o.Client = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	if f.peersConfig == "" && *f.web.WebConfigFile != "" {
		log.Info("Other exporters are asked for names without TLS and password; give --peers.config.file if they " +
			"want some as this one does")
	}
	if f.peersConfig != "" {
		config, _, err := promconfig.LoadHTTPConfigFile(f.peersConfig)
		if err != nil {
			return nil, fmt.Errorf("--peers.config.file=%s: %w", f.peersConfig, err)
		}
		if config.TLSConfig != (promconfig.TLSConfig{}) {
			o.Scheme = "https"
		}
		if o.Client, err = promconfig.NewClientFromConfig(*config, "nstar_peers",
			promconfig.WithKeepAlivesDisabled()); err != nil {
			return nil, fmt.Errorf("--peers.config.file=%s: %w", f.peersConfig, err)
		}
	}
	return peers.New(o), nil
}

// bootOf identifies the kernel from its start to its end; empty if it does not tell.
func bootOf(procfs string) string {
	b, err := os.ReadFile(filepath.Join(procfs, "sys/kernel/random/boot_id"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
}
