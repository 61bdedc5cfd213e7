// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
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
	s := &subject{name: "grpc", port: ports[0], lasting: true}
	add := s.counting(filepath.Join(b.Dir, "rates.count"))
	add("grpc-go, two connections of a gateway in Go, 60 users before it",
		programs+"/usr/bin/h2load", "--h1", "-n", "6000", "-c", "60", url)
	for _, args := range [][]string{
		{"-connections=4", "-streams=1", "-calls=2000"},
		{"-connections=4", "-streams=100", "-calls=10000"},
		{"-connections=4", "-streams=100", "-calls=5000", "-pause=5ms"}, // 100 calls begin together
		{"-connections=4", "-streams=32", "-calls=400", "-question=200000"},
		{"-connections=4", "-streams=10", "-calls=2000", "-code=14"}, // UNAVAILABLE
		{"-connections=4", "-streams=10", "-calls=2000", "-code=5"},  // NOT_FOUND: no failure of the server
	} {
		add("grpc-go, "+strings.Join(args, " "),
			append([]string{mesh, "ask", "-address=127.0.0.1:" + service}, args...)...)
	}
	return s, nil
}

// startGRPCInPython is a service on the core in C, which most languages share, under its client: calls of gRPC fail
// with every code in turn.
func startGRPCInPython(b *bed.Bed, _, python string) (*subject, error) {
	s := &subject{name: "grpc in C", lasting: true}
	if python == "" {
		return s, nil
	}
	var err error
	if s.port, err = bed.FreePort(); err != nil {
		return nil, err
	}
	script, socket, port := "exporters/proof/protocols/grpccodes.py", b.Path("codes.count"), strconv.Itoa(s.port)
	if _, err := b.Start("codes", python, script, "serve", port, socket); err != nil {
		return nil, err
	}
	if err := bed.WaitFor(10*time.Second, func() error { _, err := readCounts(socket); return err }); err != nil {
		return nil, err
	}
	add := s.counting(socket)
	add("grpcio, calls that fail with every code in turn", python, script, "ask", port)
	add("grpcio, the same with messages of their own", python, script, "ask", port, "explained")
	add("grpcio, streams of messages that fail", python, script, "stream", port)
	return s, nil
}

// counting adds loads whose server tells at a Unix socket how many calls it has answered, and in how many it failed.
func (s *subject) counting(socket string) func(name string, argv ...string) {
	told := func(i int) func() (int64, error) {
		return func() (int64, error) { n, err := readCounts(socket); return n[i], err }
	}
	return func(name string, argv ...string) {
		s.loads = append(s.loads, load{name: name, source: "the server's own count", answered: told(0), failed: told(1),
			run: func() error { _, err := bed.Run(argv...); return err }})
	}
}

// readCounts reads two numbers from a Unix socket.
func readCounts(path string) (n [2]int64, err error) {
	c, err := net.Dial("unix", path)
	if err != nil {
		return n, err
	}
	defer c.Close()
	if _, err := fmt.Fscan(c, &n[0], &n[1]); err != nil {
		return n, fmt.Errorf("%s: %w", path, err)
	}
	return n, nil
}
