// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	nethttp "net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
	"github.com/nstar-project/nstar/exporters/proof/figures"
)

// useCase is a way in which clients ask, of which the counts alone are checked.
type useCase struct {
	name string
	tier string
	run  func() (asked, error)
}

// asked are the counts of a client.
type asked struct {
	answered int64
	given    int64 // up, before the answer began
}

// Parts of the configuration of an httpd that listens at one more address, and one with TLS, and hands requests on to a
// server that is slow.
const casesConf = `
Listen [::1]:%[1]d
Listen 127.0.0.1:%[2]d https
LoadModule ssl_module ${MODULES}/mod_ssl.so
LoadModule proxy_module ${MODULES}/mod_proxy.so
LoadModule proxy_http_module ${MODULES}/mod_proxy_http.so
ProxyPass /slow %[3]s
<VirtualHost *:%[2]d>
  SSLEngine on
  SSLCertificateFile %[4]s
  SSLCertificateKeyFile %[5]s
</VirtualHost>
`

// held is how long the slow server takes for an answer, and patience how long clients wait before they give up: long
// enough for httpd to have read the request, and so that its 128 threads suffice for all that are held.
const (
	held     = time.Second
	patience = held / 5
)

// cases checks the counts of Apache httpd against its log and its clients, whatever these do.
func cases(r *figures.Report, exporter string, duration time.Duration) error {
	if err := bed.Need("apache2", "wrk"); err != nil {
		return err
	}
	b, err := bed.New()
	if err != nil {
		return err
	}
	defer b.Close()
	slow := httptest.NewServer(nethttp.HandlerFunc(func(nethttp.ResponseWriter, *nethttp.Request) { time.Sleep(held) }))
	defer slow.Close()
	var six, tls int
	for _, port := range []*int{&six, &tls} {
		if *port, err = bed.FreePort(); err != nil {
			return err
		}
	}
	// its certificate is one for loopback, and its client trusts that
	certified := httptest.NewTLSServer(nil)
	defer certified.Close()
	if err := writeCertificate(b, certified); err != nil {
		return err
	}
	httpd, err := b.Httpd(true, fmt.Sprintf(casesConf, six, tls, slow.URL, b.Path("certificate.pem"),
		b.Path("key.pem")))
	if err != nil {
		return err
	}
	ports := map[string]int{"httpd": httpd.Port, "httpd6": six, "httpdtls": tls}
	var targets []target
	for _, tier := range []string{"httpd", "httpd6", "httpdtls"} {
		targets = append(targets, target{tier: tier, port: ports[tier], protocol: http})
	}
	m, err := newMeasurement(b, exporter, targets)
	if err != nil {
		return err
	}
	unlimited, err := unlimitedRate(b, httpd, duration)
	if err != nil {
		return err
	}
	url := func(page string) string { return httpd.URL(page) }
	trusting := certified.Client().Transport.(*nethttp.Transport).TLSClientConfig
	for _, c := range []useCase{
		{"a connection for each request", "httpd", asking{url: url("small"), new: true}.run},
		{"TLS, connections kept", "httpdtls", asking{url: fmt.Sprintf("https://127.0.0.1:%d/small", tls),
			tls: trusting}.run},
		{"TLS, a connection for each request", "httpdtls", asking{url: fmt.Sprintf("https://127.0.0.1:%d/small", tls),
			tls: trusting, new: true}.run},
		{"IPv6, connections kept", "httpd6", asking{url: fmt.Sprintf("http://[::1]:%d/small", six)}.run},
		{"uploads of 1 MB", "httpd", asking{url: url("small"), body: 1_000_000}.run},
		{"uploads that wait for 100 Continue", "httpd", asking{url: url("small"), body: 20_000, expect: true}.run},
		{"given up in the middle of an upload", "httpd", givingUp{port: httpd.Port, upload: true}.run},
		{"given up while the answer is waited for", "httpd", givingUp{port: httpd.Port, path: "/slow"}.run},
		{"given up in the middle of the answer, which is a completion", "httpd",
			givingUp{port: httpd.Port, path: "/large", begun: true}.run},
		{"unlimited rate", "httpd", unlimited},
	} {
		if err := c.check(r, m, httpd, ports[c.tier]); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// check runs the clients and compares the counts.
func (c useCase) check(r *figures.Report, m *measurement, httpd *bed.Httpd, port int) error {
	r.Section("Apache httpd: %s", c.name)
	before, err := httpd.LoggedAt(port)
	if err != nil {
		return err
	}
	var client asked
	seen := &run{exported: make(map[string]exported)}
	if err := m.drive(seen, func() (err error) { client, err = c.run(); return err }); err != nil {
		return err
	}
	after, err := httpd.LoggedAt(port)
	if err != nil {
		return err
	}
	completions, aborts := seen.grown("nstar_tier_completions_total", c.tier),
		seen.grown("nstar_tier_aborts_total", c.tier)
	r.Equal("completions", completions, client.answered, "answers that the clients counted")
	r.Equal("aborts", aborts, client.given, "requests that the clients gave up")
	r.Equal("completions and aborts", completions+aborts, after-before, "lines of Apache's access log")
	r.Equal("arrivals", seen.grown("nstar_tier_arrivals_total", c.tier), completions+aborts, "completions and aborts")
	drift, _ := seen.after.Value("nstar_drift_requests", "tier", c.tier)
	negative, _ := seen.after.Value("nstar_tier_negative_queue_seconds_total", "tier", c.tier)
	r.Check(drift == 0 && negative < 1e-4, "drift %g, queue below zero for %g s", drift, negative)
	return nil
}

// unlimitedRate is wrk without think times, which ends without a request under way.
func unlimitedRate(b *bed.Bed, httpd *bed.Httpd, duration time.Duration) (func() (asked, error), error) {
	script, err := b.Write("unlimited.lua", bed.Thinking)
	if err != nil {
		return nil, err
	}
	load := bed.Wrk{
		Threads: 1, Connections: 32, Duration: duration + 2*time.Second, Script: script, URL: httpd.URL(""),
		Args: []string{strconv.Itoa(int(duration.Seconds())), "0", "/large"},
	}
	return func() (asked, error) {
		result, err := load.Run()
		if err == nil && result.Errors != "" {
			err = fmt.Errorf("wrk saw failures, so its count is no reference: %s", result.Errors)
		}
		return asked{answered: result.Requests}, err
	}, nil
}

// writeCertificate writes a test server's certificate and its key.
func writeCertificate(b *bed.Bed, s *httptest.Server) error {
	pair := s.TLS.Certificates[0]
	key, err := x509.MarshalPKCS8PrivateKey(pair.PrivateKey)
	if err != nil {
		return err
	}
	write := func(name, kind string, content []byte) error {
		return os.WriteFile(b.Path(name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600)
	}
	return errors.Join(write("certificate.pem", "CERTIFICATE", pair.Certificate[0]),
		write("key.pem", "PRIVATE KEY", key))
}
