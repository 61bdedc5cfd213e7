// SPDX-License-Identifier: Apache-2.0

package programs

import (
	"cmp"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	for _, tt := range []struct {
		command, file, arguments string // separated by |
		want                     string
	}{
		{"apache2", "apache2", "/usr/sbin/apache2|-k|start", "httpd"},
		{"httpd", "httpd", "", "httpd"},
		{"php-fpm8.2", "php-fpm8.2", "php-fpm: pool www", "php-fpm"},
		{"php-fpm", "php-fpm", "", "php-fpm"},
		{"mariadbd", "mariadbd", "", "mariadb"},
		{"mysqld", "mysqld", "", "mysql"},
		{"postgres", "postgres", "postgres: main: checkpointer", "postgres"},
		{"java", "java", "/usr/bin/java|-Xmx1g|-cp|bootstrap.jar|org.apache.catalina.startup.Bootstrap|start",
			"tomcat"},
		{"java", "java", "java|-jar|shop.jar", ""},
		{"jsvc", "jsvc", "jsvc.exec|-cp|x|org.apache.catalina.startup.Bootstrap", "tomcat"},
		{"java", "java", "java|-cp|BOOT-INF|org.springframework.boot.loader.launch.JarLauncher", "spring-boot"},
		{"java", "java", "java|-Xmx320m|-jar|/opt/payara-micro-6.2024.12.jar|--port|8080", "payara"},
		{"java", "java", "java|-cp|glassfish.jar|com.sun.enterprise.glassfish.bootstrap.ASMain|-domaindir|d", "payara"},
		{"java", "java", "java|-cp|lib/*|org.apache.derby.drda.NetworkServerControl|start", "derby"},
		{"java", "java", "java|-cp|h2.jar|org.h2.tools.Server|-tcp", "h2"},
		{"java", "java", "java|-cp|app.jar:h2-2.2.224.jar|shop.Main", ""}, // its database is inside it
		{"java", "java", "java|-jar|/opt/app/quarkus-run.jar", "quarkus"},
		{"java", "java", "java|-m|org.elasticsearch.server/org.elasticsearch.bootstrap.Elasticsearch",
			"elasticsearch"},
		{"catalina-exec-1", "java", "java|org.apache.catalina.startup.Bootstrap", "tomcat"},
		{"gunicorn", "python3.11", "/usr/bin/python3|/usr/bin/gunicorn|app", "gunicorn"},
		{"gunicorn: maste", "python3.11", "gunicorn: master [app]", "gunicorn"},
		{"python3", "python3.11", "/usr/bin/python3|/usr/local/bin/gunicorn|app", "gunicorn"},
		{"hypercorn", "python3.11", "/usr/bin/python3|/usr/local/bin/hypercorn|app:app", "hypercorn"},
		{"python3", "python3.11", "/usr/bin/python3|/venv/bin/waitress-serve|app:app", "waitress"},
		{"[TS_MAIN]", "traffic_server", "", "trafficserver"},
		{"starman worker", "perl", "starman worker --port 5000", "starman"},
		{"caddy", "caddy", "caddy|run", "caddy"},
		{"ruby", "ruby3.1", "puma 5.6.5 (tcp://127.0.0.1:3000) [redmine]", "puma"},
		{"ruby", "ruby3.1", "ruby|/usr/bin/unicorn|-c|config", "unicorn"},
		{"MainThread", "node", "node|server.js", "node"},
		{"bundle", "ruby3.1", "ruby|-e|x|y|puma", ""}, // too far behind to be the program
		{"redis-server", "redis-check-rdb", "", "redis"},
		{"varnishd", "varnishd", "", "varnish"},
		{"shop", "shop", "shop|--listen|:80", ""},
		{"", "", "", ""},
	} {
		var arguments []string
		if tt.arguments != "" {
			arguments = strings.Split(tt.arguments, "|")
		}
		got, ok := Of(tt.command, tt.file, arguments)
		if got.Name != tt.want || ok != (tt.want != "") {
			t.Errorf("%s (%s) %q is %q, want %q", tt.command, tt.file, tt.arguments, got.Name, tt.want)
		}
	}
}

// limitless are databases that take as many connections, and as many queries at a time, as come.
var limitless = map[string]bool{"h2": true, "hsqldb": true, "firebird": true}

// Each is found by some way, and has something to be told.
func TestKnown(t *testing.T) {
	found := map[string]bool{}
	for _, name := range commands {
		found[name] = true
	}
	for _, c := range classes {
		found[c.program] = true
	}
	for file := range interpreters {
		if p, ok := Runtime(file, nil); ok {
			found[p.Name] = true
		}
	}
	for name, p := range known {
		if !found[name] && name != goRuntime {
			t.Errorf("nothing leads to %s", name)
		}
		if p.Workers == "" && p.Pool == "" && !limitless[name] {
			t.Errorf("%s has no limits", name)
		}
		delete(found, name)
	}
	for name := range found {
		t.Errorf("%s is not known", name)
	}
	for name := range scripts {
		if known[commands[name]].Name == "" {
			t.Errorf("the script %s is not known", name)
		}
	}
}

// The runbook has the same table.
func TestRunbook(t *testing.T) {
	const file = "../../../docs/runbooks/NstarBottleneck.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| program | workers |")
	if !found {
		t.Fatalf("%s has no table of programs", file)
	}
	for name, p := range known {
		row := fmt.Sprintf("| %s | %s | %s |\n", name, cmp.Or(p.Workers, "-"), cmp.Or(p.Pool, "-"))
		if !strings.Contains(table, row) {
			t.Errorf("%s lacks %q", file, row)
		}
	}
	if rows := strings.Count(table, "\n| "); rows != len(known) {
		t.Errorf("%s has %d programs, of which %d are known", file, rows, len(known))
	}
}

// Any user who starts a process can choose its arguments.
func FuzzOf(f *testing.F) {
	f.Add("java", "java", "java|org.apache.catalina.startup.Bootstrap")
	f.Add("ruby", "ruby", "puma 5.6 (tcp://0.0.0.0:80)")
	f.Fuzz(func(t *testing.T, command, file, arguments string) {
		p, ok := Of(command, file, strings.Split(arguments, "|"))
		if ok != (known[p.Name] == p && p.Name != "") {
			t.Errorf("%+v is not one of those that are known", p)
		}
	})
}
