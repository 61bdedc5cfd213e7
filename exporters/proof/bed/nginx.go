// SPDX-License-Identifier: Apache-2.0

package bed

import (
	"fmt"
	"net/http"
	"time"
)

// Nginx is an nginx with one worker that answers every request with six bytes, and keeps connections for ever.
type Nginx struct {
	*Process
	Port int
}

// NginxHead begins the configuration of an nginx with one worker that writes nothing outside of a directory, %[1]s;
// the served locations and a brace follow.
const NginxHead = `daemon off;
worker_processes 1;
error_log %[1]s/nginx.log;
pid %[1]s/nginx.pid;
events {}
http {
  client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fastcgi;
  uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
`

const nginxConf = NginxHead + `  access_log off;
  keepalive_requests 1000000000;
  server { listen 127.0.0.1:%[2]d; location / { return 200 "nstar\n"; } }
}
`

// Nginx starts nginx.
func (b *Bed) Nginx() (*Nginx, error) {
	n := &Nginx{}
	var err error
	if n.Port, err = FreePort(); err != nil {
		return nil, err
	}
	config, err := b.Write("nginx.conf", fmt.Sprintf(nginxConf, b.Dir, n.Port))
	if err != nil {
		return nil, err
	}
	if n.Process, err = b.Start("nginx", "nginx", "-p", b.Dir, "-c", config); err != nil {
		return nil, err
	}
	return n, WaitFor(10*time.Second, func() error {
		if err := n.Ended(); err != nil {
			return err
		}
		answer, err := http.Get(n.URL())
		if err == nil {
			answer.Body.Close()
		}
		return err
	})
}

// URL addresses the six bytes.
func (n *Nginx) URL() string { return fmt.Sprintf("http://127.0.0.1:%d/", n.Port) }

// Processes lists the master and its worker.
func (n *Nginx) Processes() ([]int, error) { return Family(n.PID) }
