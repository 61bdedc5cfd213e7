// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

const nginxConfig = bed.NginxHead + `  access_log %[1]s/access.log;
  keepalive_requests 100000;
  split_clients "$request_id" $some { 20%% 503; 10%% 500; 20%% 404; * 200; }
  server {
    listen 127.0.0.1:%[2]d http2; root %[1]s;
    location = /some {
      if ($some = 503) { return 503; }
      if ($some = 500) { return 500; }
      if ($some = 404) { return 404; }
      return 200 "fine";
    }
  }
}
`

// startNginx serves HTTP/2 in clear; each line of its log is a stream.
func startNginx(b *bed.Bed, programs, _ string) (*subject, error) {
	port, answered, err := serveFiles(b, nginxConfig)
	if err != nil {
		return nil, err
	}
	s := &subject{name: "nginx", port: port}
	for _, args := range [][]string{
		{"-n", "1000", "-c", "4", "-m", "1", "small"}, {"-n", "5000", "-c", "4", "-m", "100", "small"},
		{"-n", "400", "-c", "4", "-m", "32", "large"}, {"-n", "3000", "-c", "4", "-m", "10", "some"},
	} {
		argv := append([]string{programs + "/usr/bin/h2load"}, args[:len(args)-1]...)
		argv = append(argv, fmt.Sprintf("http://127.0.0.1:%d/%s", port, args[len(args)-1]))
		s.loads = append(s.loads, load{name: "HTTP/2 in clear, h2load " + strings.Join(args, " "), run: func() error {
			_, err := bed.Run(argv...)
			return err
		}, answered: answered, failed: lines(b.Path("access.log"), `" 50[03] `), source: "lines of its access log"})
	}
	return s, nil
}

// serveFiles starts nginx with a small and a large file, by a configuration that wants a directory and a port. answered
// counts the lines of its log.
func serveFiles(b *bed.Bed, config string) (port int, answered func() (int64, error), err error) {
	if err := bed.Need("nginx"); err != nil {
		return 0, nil, err
	}
	port, err = bed.FreePort()
	if err != nil {
		return 0, nil, err
	}
	file, err := b.Write("nginx.conf", fmt.Sprintf(config, b.Dir, port))
	if err != nil {
		return 0, nil, err
	}
	for name, size := range map[string]int{"small": 500, "large": 200_000} {
		if _, err := b.Write(name, strings.Repeat("x", size)); err != nil {
			return 0, nil, err
		}
	}
	if _, err := b.Start("nginx", "nginx", "-p", b.Dir, "-c", file); err != nil {
		return 0, nil, err
	}
	answered = func() (int64, error) {
		log, err := os.ReadFile(b.Path("access.log"))
		return int64(bytes.Count(log, []byte("\n"))), err
	}
	if err := bed.WaitFor(10*time.Second, func() error { _, err := answered(); return err }); err != nil {
		return 0, nil, err
	}
	return port, answered, nil
}
