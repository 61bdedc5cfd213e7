// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	_ "embed"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

//go:embed client.py
var client string

const pipeline = "\\startpipeline\nselect 1;\nselect 2;\nselect 3;\n\\endpipeline\n"

type postgres struct {
	bin, dir, script, sql string
	port                  int
	// the loads ask there, and the figures are read at the port; otherwise the other way round
	atSocket bool
}

func startPostgres(b *bed.Bed, programs, python string) (*subject, error) {
	return postgresSubject(b, programs, python, false)
}

// Of the clients, only pgbench goes to the Unix socket.
func startPostgresAtSocket(b *bed.Bed, programs, _ string) (*subject, error) {
	return postgresSubject(b, programs, "", true)
}

func postgresSubject(b *bed.Bed, programs, python string, atSocket bool) (*subject, error) {
	bin, err := postgresPrograms(programs)
	if err != nil {
		return nil, err
	}
	p := &postgres{bin: bin, dir: b.Path("postgres"), atSocket: atSocket}
	if p.port, err = bed.FreePort(); err != nil {
		return nil, err
	}
	if p.script, err = b.Write("client.py", client); err != nil {
		return nil, err
	}
	if p.sql, err = b.Write("pipeline.sql", pipeline); err != nil {
		return nil, err
	}
	if err := p.start(b); err != nil {
		return nil, err
	}
	if _, err := p.bench("-i", "-q"); err != nil {
		return nil, err
	}
	s := &subject{name: "postgres", port: p.port}
	if atSocket {
		s.socket = fmt.Sprintf("%s/.s.PGSQL.%d", p.dir, p.port)
	}
	add := func(name string, answered func() (int64, error), source string, run func() error) {
		s.loads = append(s.loads, load{name: name, run: run, answered: answered, source: source})
	}
	const own = "its transactions less its log-ins"
	for _, args := range [][]string{
		{"-M", "simple", "-t", "300"}, {"-M", "extended", "-t", "300"}, {"-M", "prepared", "-t", "300"},
		{"-M", "simple", "-t", "20", "-C"},
	} {
		add("pgbench "+strings.Join(args, " "), p.transactions, own,
			func() error { _, err := p.bench(append(args, "-n", "-S", "-c", "4")...); return err })
	}
	add("pgbench, a pipeline of three statements", p.transactions, own, func() error {
		_, err := p.bench("-M", "extended", "-f", p.sql, "-n", "-c", "4", "-t", "100")
		return err
	})
	if python == "" {
		return s, nil
	}
	for _, name := range []string{"statements", "prepared", "copy", "executemany", "large", "cancel", "errors"} {
		add("psycopg, "+name, p.transactions, own, func() error { return p.python(python, name) })
	}
	for _, name := range []string{"transactions", "asyncpg", "asyncpg-uncached"} {
		add(name, p.statements, "pg_stat_statements", func() error { return p.python(python, name) })
	}
	return s, nil
}

// postgresPrograms finds the server's programs, which an unprivileged user must be able to run.
func postgresPrograms(programs string) (string, error) {
	for _, pattern := range []string{"/usr/lib/postgresql/*/bin", programs + "/usr/lib/postgresql/*/bin"} {
		found, _ := filepath.Glob(pattern)
		for _, dir := range found {
			if exec.Command("setpriv", "--reuid", "nobody", "--clear-groups", "test", "-x", dir+
				"/postgres").Run() == nil {
				return dir, nil
			}
		}
	}
	return "", errors.New("no PostgreSQL that the user nobody may run: `make proof-tools` unpacks one")
}

func (p *postgres) start(b *bed.Bed) error {
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return err
	}
	uid, _ := strconv.Atoi(nobody.Uid)
	if err := errors.Join(os.Mkdir(p.dir, 0o700), os.Chown(p.dir, uid, -1)); err != nil {
		return err
	}
	as := []string{"setpriv", "--reuid", "nobody", "--regid", nobody.Gid, "--clear-groups"}
	if _, err := bed.Run(append(as, p.bin+"/initdb", "-D", p.dir+"/data", "-U", "proof", "-A",
		"trust")...); err != nil {
		return err
	}
	if _, err := b.Start("postgres", append(as, p.bin+"/postgres", "-D", p.dir+"/data", "-p",
		strconv.Itoa(p.port), "-k",
		p.dir,
		"-c", "listen_addresses=127.0.0.1", "-c", "shared_preload_libraries=pg_stat_statements", "-c", "fsync=off",
		"-c", "autovacuum=off")...); err != nil {
		return err
	}
	if err := bed.WaitFor(30*time.Second, func() error { _, err := p.ask("select 1"); return err }); err != nil {
		return err
	}
	for _, sql := range []string{"create database app", "create extension pg_stat_statements"} {
		if _, err := p.ask(sql); err != nil {
			return err
		}
	}
	return nil
}

// host is where the loads ask, or where its figures are read.
func (p *postgres) host(load bool) string {
	if load == p.atSocket {
		return p.dir
	}
	return "127.0.0.1"
}

// ask asks where the loads don't, in a database other than the measured one.
func (p *postgres) ask(sql string) (int64, error) {
	out, err := bed.Run(p.bin+"/psql", "-h", p.host(false), "-p", strconv.Itoa(p.port), "-U", "proof", "-d",
		"postgres", "-Atqc",
		sql)
	if err != nil || strings.TrimSpace(out) == "" {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(out), 10, 64)
}

// transactions counts the transactions that were not begun explicitly: one for each request. A log-in is one as
// well.
func (p *postgres) transactions() (int64, error) {
	return p.ask("select xact_commit + xact_rollback - sessions from pg_stat_database where datname = 'app'")
}

func (p *postgres) statements() (int64, error) {
	return p.ask("select coalesce(sum(calls), 0) from pg_stat_statements s join pg_database d on d.oid = s.dbid " +
		"where datname = 'app'")
}

func (p *postgres) bench(args ...string) (string, error) {
	return bed.Run(append(append([]string{p.bin + "/pgbench", "-h", p.host(true), "-p", strconv.Itoa(p.port), "-U",
		"proof"}, args...), "app")...)
}

func (p *postgres) python(interpreter, name string) error {
	_, err := bed.Run(interpreter, p.script, name, fmt.Sprint(p.port))
	return err
}
