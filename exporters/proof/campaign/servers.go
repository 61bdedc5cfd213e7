// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// application is its name in Nstar.
const application = "lamp"

// servers are the application as it runs in one setup, and what measures it.
type servers struct {
	options
	setup
	bed        *bed.Bed
	dir        string // of the application; what was prepared in it is found again
	groups     map[string]*cgroup
	started    map[string]*bed.Process
	prometheus *bed.Prometheus
}

// theirs are the processors of the servers. The first one is the load generator's and the measuring programs': on one
// for all, a heavy load would take away from the servers what it asks of them.
func theirs() []int { return bed.Processors()[1:] }

func pinned(cpus []int, nice int) []string {
	var list []string
	for _, c := range cpus {
		list = append(list, strconv.Itoa(c))
	}
	return []string{"nice", "-n", strconv.Itoa(nice), "taskset", "-c", strings.Join(list, ",")}
}

// start starts the application in a setup and everything that measures it.
func start(o options, s setup, state string) (*servers, error) {
	if len(bed.Processors()) < 2 {
		return nil, fmt.Errorf("a campaign needs two processors: one for the servers, and one for the load that no server may feel")
	}
	b, err := bed.New()
	if err != nil {
		return nil, err
	}
	r := &servers{options: o, setup: s, bed: b, dir: filepath.Join(o.output, "site"), groups: map[string]*cgroup{},
		started: map[string]*bed.Process{}}
	watch := func() error { return r.measuring(state) }
	for _, step := range []func() error{r.makeGroups, r.directories, r.database, r.front, watch, r.confine} {
		if err := step(); err != nil {
			r.stop()
			return nil, err
		}
	}
	return r, nil
}

// stop ends everything, the servers in the order of asking, gently: a database that is killed has to recover.
func (r *servers) stop() {
	for _, t := range tiers {
		p := r.started[t.name]
		if p == nil || p.Ended() != nil {
			continue
		}
		_ = syscall.Kill(p.PID, syscall.SIGTERM)
		_ = bed.WaitFor(20*time.Second, func() error {
			if p.Ended() != nil {
				return nil
			}
			return fmt.Errorf("%s still runs", p.Name)
		})
	}
	r.bed.Close()
	for _, g := range r.groups {
		g.remove()
	}
}

// makeGroups makes a group for each tier, without limits: what a start takes is not what the setups are about.
func (r *servers) makeGroups() error {
	for _, t := range tiers {
		g, err := newCgroup("nstar-campaign-" + t.name)
		if err != nil {
			return err
		}
		r.groups[t.name] = g
		if err := g.share(1, len(theirs())); err != nil {
			return err
		}
	}
	return nil
}

// confine gives each tier the setup's share of the processors, and the database the setup's disk.
func (r *servers) confine() error {
	for name, g := range r.groups {
		if err := g.share(r.shares[name], len(theirs())); err != nil {
			return err
		}
	}
	// Where disks can't be limited, the small buffer remains.
	if err := r.groups["mariadb"].reads(r.setup.reads, r.output); err != nil {
		fmt.Fprintf(os.Stderr, "campaign: %s: the disk is not slowed: %v\n", r.name, err)
	}
	return nil
}

// directories makes those that the servers' account writes to.
func (r *servers) directories() error {
	return bed.Account(r.account).Directories(r.dir, "mariadb", "httpd", "fpm", "site", "log")
}

// as is how a script runs as the servers' account with the parameters in its environment.
func (r *servers) as(argv ...string) []string {
	out := append(bed.Account(r.account).As(), "--pdeathsig", "TERM", "env",
		"ROOT="+r.root, "DEMO="+r.dir, "DEMO_USER="+r.account,
		fmt.Sprintf("NGINX_PORT=%d", tiers[0].port), fmt.Sprintf("FPM_PORT=%d", tiers[1].port),
		fmt.Sprintf("MARIADB_PORT=%d", tiers[2].port), fmt.Sprintf("STATUS_PORT=%d", statusPort))
	for name, value := range r.params {
		out = append(out, name+"="+value)
	}
	return append(out, argv...)
}

// tier starts a server in its group, on the servers' processors, and waits until it is ready.
func (r *servers) tier(name string, ready func() error, argv ...string) error {
	command := append(r.groups[name].enter(), pinned(theirs(), r.nice)...)
	p, err := r.bed.Start(name, append(command, r.as(argv...)...)...)
	if err != nil {
		return err
	}
	r.started[name] = p
	return bed.WaitFor(90*time.Second, func() error {
		if err := p.Ended(); err != nil {
			return err
		}
		return ready()
	})
}

func (r *servers) blog(script string) string { return filepath.Join(r.root, "deploy/blog", script) }

func (r *servers) run(argv ...string) error {
	_, err := bed.Run(r.as(argv...)...)
	return err
}

// sql runs a statement as the database's administrator.
func (r *servers) sql(statement string) error {
	return r.run("mariadb", "--no-defaults", "--user="+r.account, "--socket="+filepath.Join(r.dir, "mariadb/socket"),
		"-e", statement)
}

// database starts MariaDB, and fills it if that was not done before.
func (r *servers) database() error {
	if err := r.run(r.blog("prepare.sh"), "data"); err != nil {
		return err
	}
	buffer := r.params["BUFFER_MB"] + "M"
	argv := []string{filepath.Join(r.root, "deploy/demo/mariadb/start.sh"), "--innodb-buffer-pool-size=" + buffer,
		"--thread-handling=pool-of-threads", "--thread-pool-size=1", "--thread-pool-max-threads=" + r.params["DB_THREADS"],
		"--innodb-flush-method=O_DIRECT"}
	if err := r.tier("mariadb", func() error { return r.sql("SELECT 1") }, argv...); err != nil {
		return err
	}
	return r.run(r.blog("prepare.sh"), "load")
}

// front starts PHP-FPM and httpd.
func (r *servers) front() error {
	now := func() error { return nil }
	if err := r.tier("php", now, r.blog("start.sh"), "fpm"); err != nil {
		return err
	}
	return r.tier("httpd", func() error { return r.answers("/?p=500") }, r.blog("start.sh"), "httpd")
}

func (r *servers) url() string { return fmt.Sprintf("http://127.0.0.1:%d", tiers[0].port) }

func (r *servers) answers(path string) error { return bed.Shows(r.url() + path) }

// account of mysqld_exporter, with a password of this start.
func (r *servers) exporterAccount() (file string, err error) {
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
		tiers[2].port, password), 0o600)
}
