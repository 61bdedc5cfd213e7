// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

const phpConfig = `[global]
error_log = %[1]s/fpm.log
daemonize = no
[www]
listen = %[2]s
listen.mode = 0666
pm = static
pm.max_children = 4
access.log = %[1]s/fpm-access.log
php_admin_flag[display_errors] = off
php_admin_flag[log_errors] = on
`

const phpFront = bed.NginxHead + `  access_log off;
  keepalive_requests 100000;
  client_max_body_size 10m;
  upstream php { server %[2]s; keepalive 2; }
  server {
    listen 127.0.0.1:%[3]d;
    location / {
      fastcgi_pass php;
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param CONTENT_LENGTH $content_length;
      fastcgi_param CONTENT_TYPE $content_type;
      fastcgi_param QUERY_STRING $query_string;
      fastcgi_param SCRIPT_FILENAME %[1]s/page.php;
      location /kept { fastcgi_keep_conn on; fastcgi_pass php; }
    }
  }
}
`

// An error that nobody catches is written into the log of the web server before the page.
const phpPage = `<?php
$fail = $_GET['fail'] ?? '';
if ($fail == 'status') http_response_code(503);
if ($fail == 'throw') throw new Exception('as asked');
$got = strlen(file_get_contents('php://input'));
echo str_repeat("$got ", 2000);
`

// startPHP serves FastCGI by php-fpm behind nginx, each connection for one request or kept; each line of its log is a
// request.
func startPHP(b *bed.Bed, programs, _ string) (*subject, error) {
	port, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	at := fmt.Sprintf("127.0.0.1:%d", port)
	return phpSubject(b, programs, at, at, subject{name: "php-fpm", port: port})
}

func startPHPAtSocket(b *bed.Bed, programs, _ string) (*subject, error) {
	socket := b.Path("fpm.sock")
	return phpSubject(b, programs, socket, "unix:"+socket, subject{name: "php-fpm", socket: socket})
}

// phpSubject has php-fpm listen at a place that nginx knows by another name.
func phpSubject(b *bed.Bed, programs, listen, upstream string, s subject) (*subject, error) {
	if err := bed.Need("nginx"); err != nil {
		return nil, err
	}
	php, err := exec.LookPath("php-fpm8.2")
	if err != nil {
		php = programs + "/usr/sbin/php-fpm8.2"
	}
	front, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	for name, content := range map[string]string{
		"fpm.conf": fmt.Sprintf(phpConfig, b.Dir, listen), "nginx.conf": fmt.Sprintf(phpFront, b.Dir, upstream, front),
		"page.php": phpPage,
		"upload":   strings.Repeat("u", 300_000),
	} {
		if _, err := b.Write(name, content); err != nil {
			return nil, err
		}
	}
	if _, err := b.Start("php-fpm", php, "-n", "-F", "-R", "-y", b.Path("fpm.conf")); err != nil {
		return nil, err
	}
	if _, err := b.Start("nginx", "nginx", "-p", b.Dir, "-c", b.Path("nginx.conf")); err != nil {
		return nil, err
	}
	url := fmt.Sprintf("http://127.0.0.1:%d/", front)
	ready := func() error { _, err := bed.Run("curl", "-fsS", "-o", "/dev/null", url); return err }
	if err := bed.WaitFor(10*time.Second, ready); err != nil {
		return nil, err
	}
	for _, l := range []struct {
		name string
		args []string
	}{
		{"connections kept", []string{url + "kept"}},
		{"a connection for each request", []string{url}},
		{"uploads of 300,000 bytes, connections kept", []string{"-d", b.Path("upload"), url + "kept"}},
		{"pages that fail", []string{url + "kept", url + "kept?fail=status", url + "kept?fail=throw"}},
	} {
		argv := append([]string{programs + "/usr/bin/h2load", "--h1", "-n", "500", "-c", "4"}, l.args...)
		s.loads = append(s.loads, load{
			name: "FastCGI, " + l.name, run: func() error { _, err := bed.Run(argv...); return err },
			answered: lines(b.Path("fpm-access.log"), "$\n"), failed: lines(b.Path("fpm-access.log"), " 5[0-9]{2}$\n"),
			source: "lines of its log",
		})
	}
	return &s, nil
}
