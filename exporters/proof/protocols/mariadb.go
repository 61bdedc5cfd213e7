// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

//go:embed mariadb.py
var mariadbClient string

// mariadb is a server that is asked for its figures at its Unix socket, and for everything else at its port.
type mariadb struct {
	dir   string
	port  int
	cost  int64 // how much asking for the figures adds to them
	asked int64
}

// mariadbAccount runs the server and administers it.
const mariadbAccount = bed.Account("nobody")

// startMariaDB is one server under its own client and two drivers for Python, in text and with prepared statements.
func startMariaDB(b *bed.Bed, _, python string) (*subject, error) {
	if err := bed.Need("mariadbd", "mariadb", "mariadb-install-db"); err != nil {
		return nil, err
	}
	port, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	m := &mariadb{dir: b.Path("mariadb"), port: port}
	if err := m.start(b); err != nil {
		return nil, err
	}
	s := &subject{name: "mariadb", port: port}
	add := func(name string, run func() error) {
		s.loads = append(s.loads, load{name: name, run: run, answered: m.commands,
			source: "its Questions, statements prepared and reset, and pings, less log-outs and long data"})
	}
	if python != "" {
		script, err := b.Write("client.py", mariadbClient)
		if err != nil {
			return nil, err
		}
		run, err := keepAsking(b, python, script, "kept", strconv.Itoa(port))
		if err != nil {
			return nil, err
		}
		s.lasting = true
		add("PyMySQL in text and Connector/Python with prepared statements, connections kept", run)
		for _, l := range []struct{ name, load string }{
			{"PyMySQL, text, transactions, errors and pings", "text"},
			{"PyMySQL, a connection for each statement", "fresh"},
			{"Connector/Python, statements prepared and closed, long data", "prepared"},
			{"PyMySQL, results and statements of megabytes", "large"},
			{"PyMySQL, LOAD DATA LOCAL INFILE", "infile"},
		} {
			add(l.name, func() error { _, err := bed.Run(python, script, l.load, strconv.Itoa(port)); return err })
		}
	}
	statements, err := b.Write("statements.sql", strings.Repeat("select 1;\ndo 2;\nshow tables;\n", 200))
	if err != nil {
		return nil, err
	}
	add("the client mariadb, 600 statements from a file", func() error {
		_, err := bed.Run("mariadb", "--no-defaults", "--protocol=tcp", "--host=127.0.0.1", "--port="+
			strconv.Itoa(port),
			"--user=proof", "--batch", "app", "--execute=source "+statements)
		return err
	})
	return s, nil
}

func (m *mariadb) start(b *bed.Bed) error {
	if err := mariadbAccount.Directories(m.dir, "", "data"); err != nil {
		return err
	}
	as := mariadbAccount.As()
	if _, err := bed.Run(append(as, "mariadb-install-db", "--no-defaults", "--datadir="+m.dir+"/data",
		"--auth-root-authentication-method=socket", "--auth-root-socket-user="+string(mariadbAccount), "--skip-test-db",
		"--skip-name-resolve")...); err != nil {
		return err
	}
	if _, err := b.Start("mariadbd", append(as, "mariadbd", "--no-defaults", "--datadir="+m.dir+"/data",
		"--tmpdir="+m.dir,
		"--socket="+m.socket(), "--pid-file="+m.dir+"/pid", "--port="+strconv.Itoa(m.port), "--bind-address=127.0.0.1",
		"--skip-name-resolve", "--local-infile=ON", "--skip-log-bin",
		"--innodb-flush-log-at-trx-commit=0")...); err != nil {
		return err
	}
	if err := bed.WaitFor(time.Minute, func() error { _, err := m.sql("SELECT 1"); return err }); err != nil {
		return err
	}
	if _,
		err := m.sql(
		"CREATE DATABASE app; CREATE USER proof@'127.0.0.1'; GRANT ALL ON app.* TO proof@'127.0.0.1'"); err != nil {
		return err
	}
	first, err := m.commands()
	if err != nil {
		return err
	}
	second, err := m.commands()
	m.cost, m.asked = second-first, 0
	return err
}

func (m *mariadb) socket() string { return m.dir + "/socket" }

func (m *mariadb) sql(query string) (string, error) {
	return bed.Run(append(mariadbAccount.As(), "mariadb", "--no-defaults", "--user="+string(mariadbAccount),
		"--socket="+m.socket(), "-BNe", query)...)
}

// counted are the server's figures that make up the number of commands that it answered. Questions leaves out
// prepares, resets, and pings; but it counts log-outs, one for each connection, and the parts of values that are sent
// ahead (long data), which get no answer.
var counted = map[string]int64{
	"Questions": 1, "Com_stmt_prepare": 1, "Com_stmt_reset": 1, "Com_admin_commands": 1,
	"Connections": -1, "Com_stmt_send_long_data": -1,
}

// commands is the server's own count of the commands that it answered, minus those for asking for it.
func (m *mariadb) commands() (int64, error) {
	out, err := m.sql("SHOW GLOBAL STATUS WHERE Variable_name IN ('" +
		strings.Join(slices.Collect(maps.Keys(counted)), "', '") + "')")
	if err != nil {
		return 0, err
	}
	sum := -m.cost * m.asked
	m.asked++
	for line := range strings.Lines(out) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), "\t")
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return 0, fmt.Errorf("MariaDB's status: %q", line)
		}
		sum += counted[name] * n
	}
	return sum, nil
}
