// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// startGRPC is a service of deploy/mesh under grpc-go's client: by itself, and behind the mesh's gateway, whose
// connections to the service outlive the exporter. The service's interceptor of statistics counts what it has answered.
func startGRPC(b *bed.Bed, programs, _ string) (*subject, error) {
	if err := bed.Need("go"); err != nil {
		return nil, err
	}
	mesh := b.Path("mesh")
	if _, err := bed.Run("go", "build", "-C", "deploy/mesh", "-o", mesh, "."); err != nil {
		return nil, err
	}
	var ports [2]int
	for i := range ports {
		var err error
		if ports[i], err = bed.FreePort(); err != nil {
			return nil, err
		}
	}
	service, front := strconv.Itoa(ports[0]), strconv.Itoa(ports[1])
	if _, err := b.Start("rates", "env", "RATES_PORT="+service, "COUNTS="+b.Dir, mesh, "rates"); err != nil {
		return nil, err
	}
	_, err := b.Start("gateway", "env", "GATEWAY_PORT="+front, "CATALOG_PORT="+service, "PRICING_PORT="+service, mesh,
		"gateway")
	if err != nil {
		return nil, err
	}
	url := "http://127.0.0.1:" + front + "/"
	if err := bed.WaitFor(10*time.Second, func() error { return bed.Shows(url) }); err != nil {
		return nil, err
	}
	answered := func() (int64, error) { return readCount(filepath.Join(b.Dir, "rates.count")) }
	s := &subject{name: "grpc", port: ports[0], lasting: true}
	add := func(name string, argv ...string) {
		s.loads = append(s.loads, load{name: name, source: "the server's own count", answered: answered,
			run: func() error { _, err := bed.Run(argv...); return err }})
	}
	add("grpc-go, two connections of a gateway in Go, 60 users before it",
		programs+"/usr/bin/h2load", "--h1", "-n", "6000", "-c", "60", url)
	for _, args := range [][]string{
		{"-connections=4", "-streams=1", "-calls=2000"},
		{"-connections=4", "-streams=100", "-calls=10000"},
		{"-connections=4", "-streams=100", "-calls=5000", "-pause=5ms"}, // 100 calls begin together
		{"-connections=4", "-streams=32", "-calls=400", "-question=200000"},
	} {
		add("grpc-go, "+strings.Join(args, " "),
			append([]string{mesh, "ask", "-address=127.0.0.1:" + service}, args...)...)
	}
	return s, nil
}

// readCount reads a number from a Unix socket.
func readCount(path string) (n int64, err error) {
	c, err := net.Dial("unix", path)
	if err != nil {
		return 0, err
	}
	defer c.Close()
	text, err := io.ReadAll(c)
	if err != nil {
		return 0, err
	}
	if n, err = strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return n, nil
}
