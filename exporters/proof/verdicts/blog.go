// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// blog is WordPress, as Debian has it: nginx, PHP-FPM (a new FastCGI connection for every page) and MariaDB (a new
// connection for every page, too).
var blog = application{
	name: "blog",
	tiers: []tier{
		{name: "nginx", protocol: "http", port: 28081, calls: []string{"php"}},
		{name: "php", found: "php-fpm8.2", protocol: "turns", port: 29000, calls: []string{"mariadb"}},
		{name: "mariadb", found: "mariadbd", protocol: "mysql", port: 23307},
	},
	ports:   map[string]int{"NGINX_PORT": 28081, "FPM_PORT": 29000, "MARIADB_PORT": 23307},
	params:  map[string]string{"CHILDREN": "16"},
	sockets: map[string]string{"php": "fpm/socket", "mariadb": "mariadb/socket"},
	pages:   bed.Reading(),
	prepare: installed("mariadb", "nginx", "fpm", "site", "log"),
	start:   startBlog,
}

// page is a page of the blog that every scenario can ask for.
const page = "/?p=500"

func startBlog(s *stack) error {
	if err := s.run(s.script("prepare.sh"), "data"); err != nil {
		return err
	}
	if err := s.database("mariadb", others()); err != nil {
		return err
	}
	if err := s.run(s.script("prepare.sh"), "load"); err != nil {
		return err
	}
	if err := s.part("php", middle(), func() error { return nil }, s.script("start.sh"), "fpm"); err != nil {
		return err
	}
	return s.part("nginx", others(), func() error { return s.answers(page) }, s.script("start.sh"), "nginx")
}
