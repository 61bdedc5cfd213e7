// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// certificate writes a key and a certificate for loopback that it signed itself.
func certificate(t *testing.T, dir string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	write(t, filepath.Join(dir, "cert.pem"), string(public))
	write(t, filepath.Join(dir, "key.pem"), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})))
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(public)
	return pool
}

// The hash is bcrypt's of "secret".
const webConfig = `tls_server_config:
  cert_file: cert.pem
  key_file: key.pem
basic_auth_users:
  prometheus: $2a$04$2kHgDljSNz6KEmUCUSnTCuiG4mRrIYDIKcCy8tMxNOKQXTG9YCSOG
`

func TestTLSAndBasicAuth(t *testing.T) {
	path := file(t, "web.yml", webConfig)
	pool := certificate(t, filepath.Dir(path))
	e := start(t, "", 1, "--web.config.file="+path)
	e.base[0] = strings.Replace(e.base[0], "http:", "https:", 1)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	e.client.Transport = transport
	if text := e.get("/metrics"); !strings.Contains(text, "nstar_build_info") {
		t.Errorf("no metrics:\n%s", text)
	}
	e.get("/windows?consumer=a")
	response, err := e.client.Get(e.base[0] + "/windows")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusUnauthorized {
		t.Errorf("status %d without a password, want 401", response.StatusCode)
	}
	e.stop()
}
