// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// stack is the demo's httpd, Tomcat and MariaDB, started a second time by the demo's own scripts in another directory
// and on other ports, so that a demo that runs is not disturbed.
type stack struct {
	bed                                 *bed.Bed
	dir, account                        string
	parameters                          string // a file
	tomcat                              *bed.Process
	httpdPort, ajpPort, dbPort, jmxPort int
}

func startStack(b *bed.Bed, root string) (*stack, error) {
	root, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	s := &stack{bed: b, dir: b.Path("chain"), account: "nobody"}
	for _, port := range []*int{&s.httpdPort, &s.ajpPort, &s.dbPort, &s.jmxPort} {
		if *port, err = bed.FreePort(); err != nil {
			return nil, err
		}
	}
	if _, err := bed.Run(append(bed.Account(s.account).As(), "test", "-r", root+
		"/deploy/demo/demo.sh")...); err != nil {
		s.account = "root" // the repository is closed to others
	}
	if err := s.directories(); err != nil {
		return nil, err
	}
	// the demo's parameters, then those that differ here
	s.parameters, err = b.Write("parameters.sh",
		fmt.Sprintf("ROOT=%s\n. \"$ROOT/deploy/demo/params.sh\"\nDEMO=%s\nDEMO_USER=%s\n"+
			"COLLECTOR=serial\nPROMETHEUS=2\nBUILD=no\nPOOL=12\nTHREADS=200\nLIVE_MB=60\n"+
			"HTTPD_PORT=%d\nAJP_PORT=%d\nMARIADB_PORT=%d\nJMX_PORT=%d\n",
			root, s.dir, s.account, s.httpdPort, s.ajpPort, s.dbPort, s.jmxPort))
	if err != nil {
		return nil, err
	}
	return s, s.start(root + "/deploy/demo/")
}

func (s *stack) directories() error {
	return bed.Account(s.account).Directories(s.dir, "", "log", "bin", "mariadb", "tomcat", "httpd")
}

func (s *stack) start(demo string) error {
	if _, err := bed.Run(s.with(demo + "install.sh")...); err != nil {
		return err
	}
	if err := s.run(demo+"mariadb/prepare.sh", "data"); err != nil {
		return err
	}
	if _, err := s.part("mariadb", demo+"mariadb/start.sh"); err != nil {
		return err
	}
	if err := bed.WaitFor(time.Minute, func() error { _, err := s.sql("SELECT 1"); return err }); err != nil {
		return err
	}
	if err := s.run(demo+"mariadb/prepare.sh", "load"); err != nil {
		return err
	}
	if err := s.run(demo + "tomcat/prepare.sh"); err != nil {
		return err
	}
	var err error
	if s.tomcat, err = s.part("tomcat", demo+"tomcat/start.sh"); err != nil {
		return err
	}
	if _, err = s.part("httpd", demo+"httpd/start.sh"); err != nil {
		return err
	}
	return bed.WaitFor(time.Minute, func() error {
		if err := s.tomcat.Ended(); err != nil {
			return err
		}
		_, err := bed.Run("curl", "-fsS", "--max-time", "5", "-o", "/dev/null", s.url("StoriesOfTheDay"))
		return err
	})
}

// with is a command line that runs another one with the parameters.
func (s *stack) with(argv ...string) []string {
	return append([]string{"sh", "-c", `set -a; . "$0"; exec "$@"`, s.parameters}, argv...)
}

// command is the same in the servers' account.
func (s *stack) command(argv ...string) []string {
	return s.with(append(bed.Account(s.account).As(), argv...)...)
}

func (s *stack) run(argv ...string) error {
	_, err := bed.Run(s.command(argv...)...)
	return err
}

func (s *stack) part(name, script string) (*bed.Process, error) {
	return s.bed.Start(name, s.command(script)...)
}

func (s *stack) url(page string) string {
	return fmt.Sprintf("http://127.0.0.1:%d/%s", s.httpdPort, page)
}

// sql asks MariaDB through its Unix socket, which is not measured.
func (s *stack) sql(query string) (string, error) {
	return bed.Run(s.command("mariadb", "--no-defaults", "--user="+s.account, "--socket="+s.dir+
		"/mariadb/socket", "-BNe",
		query)...)
}

// commands is MariaDB's own count of the commands that it has answered. Questions leaves preparing and pings out.
func (s *stack) commands() (int64, error) {
	out, err := s.sql("SHOW GLOBAL STATUS WHERE Variable_name IN ('Questions', 'Com_stmt_prepare', " +
		"'Com_admin_commands')")
	if err != nil {
		return 0, err
	}
	var sum int64
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		_, value, _ := strings.Cut(line, "\t")
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("MariaDB's status: %q", line)
		}
		sum += n
	}
	return sum, nil
}

// requests is Tomcat's own count of the requests that its AJP connector has answered, from JMX.
func (s *stack) requests() (int64, error) {
	samples, err := bed.Scrape(fmt.Sprintf("http://127.0.0.1:%d/metrics", s.jmxPort))
	if err != nil {
		return 0, err
	}
	n, ok := samples.Value("tomcat_requests_requestcount_total")
	if !ok {
		return 0, fmt.Errorf("no tomcat_requests_requestcount_total from jmx_exporter")
	}
	return int64(n), nil
}
