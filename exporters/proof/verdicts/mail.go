// SPDX-License-Identifier: Apache-2.0

package main

// mail is Roundcube, as Debian has it: nginx, PHP-FPM (a new FastCGI connection for every page), and behind it two
// servers, with a new connection to each for every page: MariaDB (the session), and Dovecot, which speaks IMAP, a
// protocol that exporters don't know: one process serves the login and hands the connection on to another one, and both
// end with it. The tiers have the names that an exporter finds by itself.
var mail = application{
	name: "mail",
	tiers: []tier{
		{name: "nginx", protocol: "http", port: 28110, calls: []string{"php-fpm8.2"}},
		{name: "php-fpm8.2", protocol: "turns", port: 29001, calls: []string{"dovecot", "mariadbd"}},
		{name: "dovecot", protocol: "auto", port: 21143},
		{name: "mariadbd", protocol: "mysql", port: 23311},
	},
	ports:   map[string]int{"NGINX_PORT": 28110, "FPM_PORT": 29001, "IMAP_PORT": 21143, "MARIADB_PORT": 23311},
	params:  params{"CHILDREN": "16", "LOGINS": "30", "OUTSIDE": "0"},
	pages:   corresponding(),
	prepare: installed("mariadb", "dovecot", "fpm", "nginx", "site", "log"),
	start:   startMail,
}

func startMail(s *stack) error {
	if err := s.run(s.script("prepare.sh"), "data"); err != nil {
		return err
	}
	if err := s.database("mariadbd", others()); err != nil {
		return err
	}
	if err := s.run(s.script("prepare.sh"), "load"); err != nil {
		return err
	}
	start := s.script("start.sh")
	if err := s.part("dovecot", others(), s.listens("IMAP_PORT"), start, "dovecot"); err != nil {
		return err
	}
	if err := s.part("php-fpm8.2", middle(), s.listens("FPM_PORT"), start, "fpm"); err != nil {
		return err
	}
	if err := s.part("nginx", others(), func() error { return s.answers("/") }, start, "nginx"); err != nil {
		return err
	}
	return s.run(s.script("prepare.sh"), "login")
}
