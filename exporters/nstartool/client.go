// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/alecthomas/kingpin/v2"
	"github.com/prometheus/client_golang/api"
	promconfig "github.com/prometheus/common/config"
)

// server is how a command reaches Prometheus.
type server struct {
	url        string
	httpConfig string
}

func (s *server) addFlags(cmd *kingpin.CmdClause) {
	cmd.Flag("prometheus", "URL of the Prometheus that has Nstar's rules loaded.").Default(
		"http://localhost:9090").StringVar(&s.url)
	cmd.Flag("http.config.file",
		"Prometheus HTTP client configuration, for TLS and credentials (as in promtool).").StringVar(&s.httpConfig)
}

// parse checks the URL, because the client library takes anything.
func (s *server) parse() (*url.URL, error) {
	u, err := url.Parse(s.url)
	if err == nil && (u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		err = errors.New("it must begin with http:// or https:// and name a host")
	}
	if err != nil {
		return nil, fmt.Errorf("--prometheus %q is not a URL of Prometheus: %v", s.url, err)
	}
	return u, nil
}

// transport adds TLS and credentials from a file in Prometheus's own format.
func (s *server) transport() (http.RoundTripper, error) {
	if s.httpConfig == "" {
		return api.DefaultRoundTripper, nil
	}
	config, _, err := promconfig.LoadHTTPConfigFile(s.httpConfig)
	if err != nil {
		return nil, fmt.Errorf("--http.config.file: %v", err)
	}
	transport, err := promconfig.NewRoundTripperFromConfig(*config, "nstartool", promconfig.WithUserAgent("nstartool"))
	if err != nil {
		return nil, fmt.Errorf("--http.config.file %s: %v", s.httpConfig, err)
	}
	return transport, nil
}

func (s *server) client() (api.Client, error) {
	if _, err := s.parse(); err != nil {
		return nil, err
	}
	transport, err := s.transport()
	if err != nil {
		return nil, err
	}
	return api.NewClient(api.Config{Address: s.url, Client: &http.Client{Transport: transport}})
}
