// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// lampStack starts WordPress's servers; data prepared in its directory are found again.
type lampStack struct {
	*servers
	dir string
}

// statusPort is PHP-FPM's for its metrics.
const statusPort = 29191

func (r *lampStack) begin(context.Context) error {
	for _, step := range []func() error{r.directories, r.database, r.front} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// directories creates the directories that the servers' account writes to.
func (r *lampStack) directories() error {
	return bed.Account(r.account).Directories(r.dir, "mariadb", "httpd", "fpm", "site", "log")
}

// as is how a script runs as the servers' account with the parameters in its environment.
func (r *lampStack) as(argv ...string) []string {
	return r.script(r.dir, []string{fmt.Sprintf("NGINX_PORT=%d", r.app.tiers[0].port),
		fmt.Sprintf("FPM_PORT=%d", r.app.tiers[1].port), fmt.Sprintf("MARIADB_PORT=%d", r.app.tiers[2].port),
		fmt.Sprintf("STATUS_PORT=%d", statusPort)}, argv...)
}

func (r *lampStack) blog(script string) string { return filepath.Join(r.root, "deploy/blog", script) }

func (r *lampStack) run(argv ...string) error {
	_, err := bed.Run(r.as(argv...)...)
	return err
}

// sql runs a statement as the database's administrator.
func (r *lampStack) sql(statement string) error {
	return r.run("mariadb", "--no-defaults", "--user="+r.account, "--socket="+filepath.Join(r.dir, "mariadb/socket"),
		"-e", statement)
}

// database starts MariaDB, and fills it if that was not done before.
func (r *lampStack) database() error {
	if err := r.run(r.blog("prepare.sh"), "data"); err != nil {
		return err
	}
	buffer := r.params["BUFFER_MB"] + "M"
	argv := []string{filepath.Join(r.root, "deploy/demo/mariadb/start.sh"), "--innodb-buffer-pool-size=" + buffer,
		"--thread-handling=pool-of-threads", "--thread-pool-size=1", "--thread-pool-max-threads=" +
			r.params["DB_THREADS"],
		"--innodb-flush-method=O_DIRECT"}
	if err := r.tier("mariadb", func() error { return r.sql("SELECT 1") }, r.as(argv...)...); err != nil {
		return err
	}
	return r.run(r.blog("prepare.sh"), "load")
}

// front starts PHP-FPM and httpd.
func (r *lampStack) front() error {
	now := func() error { return nil }
	if err := r.tier("php", now, r.as(r.blog("start.sh"), "fpm")...); err != nil {
		return err
	}
	return r.tier("httpd", func() error { return r.answers("/?p=500") },
		r.as(r.blog("start.sh"), "httpd")...)
}

func (r *lampStack) url() string { return fmt.Sprintf("http://127.0.0.1:%d", r.app.tiers[0].port) }

func (r *lampStack) answers(path string) error { return bed.Shows(r.url() + path) }

// account of mysqld_exporter, with a password of this start.
func (r *lampStack) exporterAccount() (file string, err error) {
	text, err := os.ReadFile(filepath.Join(r.root, "exporters/mysqld/account.sql"))
	if err != nil {
		return "", err
	}
	secret := make([]byte, 16)
	if _, err := rand.Read(secret); err != nil {
		return "", err
	}
	password := hex.EncodeToString(secret)
	// The account may be there from an earlier start, with another password.
	statements := "DROP USER IF EXISTS 'exporter'@'127.0.0.1';\n" + strings.ReplaceAll(string(text),
		"@EXPORTER_PASSWORD@", password)
	if err := r.sql(statements); err != nil {
		return "", err
	}
	file = r.bed.Path("exporter.cnf")
	return file, os.WriteFile(file, fmt.Appendf(nil, "[client]\nhost=127.0.0.1\nport=%d\nuser=exporter\npassword=%s\n",
		r.app.tiers[2].port, password), 0o600)
}

// exporters starts those of httpd and MariaDB; PHP-FPM is its own.
func (r *lampStack) exporters() ([]job, error) {
	account, err := r.exporterAccount()
	if err != nil {
		return nil, err
	}
	jobs := []job{{name: "php-fpm", tier: "php", address: strings.TrimPrefix(r.url(), "http://"),
		more: "\n    metrics_path: /fpm-status\n    params: {openmetrics: ['']}"}}
	for _, e := range []struct{ name, program, tier, setting string }{
		{"apache", "prometheus-apache-exporter", "httpd", "STATUS=" + r.url() + "/server-status?auto"},
		{"mysqld", "prometheus-mysqld-exporter", "mariadb", "MY_CNF=" + account},
	} {
		j, err := r.standard(e.name, e.program, e.tier, e.setting)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, j)
	}
	return jobs, nil
}

// calm waits until the remaining work of an earlier load is done: PHP still serves users who have gone. It gives up
// after a while, and the rest then disturbs only the warming up.
func (r *lampStack) calm(ctx context.Context) error {
	const longest, resting = time.Minute, "max(phpfpm_active_processes + phpfpm_listen_queue) <= 1"
	for begun := time.Now(); time.Since(begun) < longest; {
		at, err := r.prometheus.Query(resting)
		if err != nil {
			return err
		}
		if len(at) > 0 {
			return nil
		}
		if err := pause(ctx, time.Second); err != nil {
			return err
		}
	}
	return nil
}

// crowd is a load that runs.
type crowd struct {
	*bed.Process
	summary string
}

// drive starts the load; it ends by itself.
func (r *lampStack) drive(name string, clients int, think, length time.Duration) (load, error) {
	c := &crowd{summary: r.bed.Path(name + ".json")}
	argv := []string{r.generator, "--url=" + r.url(), "--users=" + strconv.Itoa(clients), "--think=" +
		think.String(), "--even",
		"--duration=" + length.String(), "--report-every=1s", "--summary-file=" + c.summary, "--seed=" +
			strconv.Itoa(clients)}
	for _, p := range r.mix {
		argv = append(argv, "--path="+p)
	}
	var err error
	c.Process, err = r.bed.Start(name, argv...)
	return c, err
}

func (c *crowd) outcome() (o outcome, err error) {
	content, err := os.ReadFile(c.summary)
	if err != nil {
		return o, err
	}
	return o, json.Unmarshal(content, &o)
}
