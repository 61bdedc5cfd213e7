// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// board is the demo's bulletin board, started by the demo's own scripts: httpd, Tomcat and MariaDB.
var board = application{
	name: "board",
	tiers: []tier{
		{name: "httpd", found: "apache2", protocol: "http", port: 28080, calls: []string{"tomcat"}},
		{name: "tomcat", found: "java", protocol: "ajp", port: 28009, calls: []string{"mariadb"}},
		{name: "mariadb", found: "mariadbd", protocol: "mysql", port: 23306},
	},
	own:     "tomcat",
	ports:   map[string]int{"HTTPD_PORT": 28080, "AJP_PORT": 28009, "MARIADB_PORT": 23306, "JMX_PORT": 29404},
	params:  boardParams,
	prepare: prepareBoard,
	start:   startBoard,
}

// boardParams are the parameters of the scripts if a scenario says nothing else: no freezes, and enough places
// everywhere.
var boardParams = map[string]string{
	"COLLECTOR": "g1", "POOL": "32", "THREADS": "400", "WORKERS": "400", "LIVE_MB": "50",
	"HOLD": "0", "OUTSIDE": "0", "COLLECT": "0", "COMPUTE": "0", "HEAP": "600m", "YOUNG": "300m",
}

func prepareBoard(s *stack) error {
	for _, name := range []string{"mariadb", "tomcat", "httpd", "log"} {
		if err := s.directory(name); err != nil {
			return err
		}
	}
	old, err := filepath.Glob(filepath.Join(s.dir, safepointLogs))
	if err != nil {
		return err
	}
	for _, file := range old {
		if err := os.Remove(file); err != nil {
			return err
		}
	}
	return s.prepareDemo()
}

// prepareDemo makes and fetches what the demo's servers need.
func (s *stack) prepareDemo() error {
	if err := os.MkdirAll(filepath.Join(s.dir, "bin"), 0o755); err != nil {
		return err
	}
	dataset := filepath.Join(s.dir, "bin/dataset")
	if _, err := bed.Run("go", "build", "-C", s.root, "-o", dataset, "./deploy/demo/dataset"); err != nil {
		return err
	}
	_, err := bed.Run(s.demo("../../exporters/jmx/start.sh")) // fetches the agent, as root
	return err
}

// demo names a script of the demo.
func (s *stack) demo(script string) string { return filepath.Join(s.root, "deploy/demo", script) }

func startBoard(s *stack) error {
	if err := s.findJava(); err != nil {
		return err
	}
	if err := s.run(s.demo("mariadb/prepare.sh"), "data"); err != nil {
		return err
	}
	if err := s.database("mariadb", s.core("mariadb")); err != nil {
		return err
	}
	if err := s.run(s.demo("mariadb/prepare.sh"), "load"); err != nil {
		return err
	}
	if err := s.startTomcat(); err != nil {
		return err
	}
	return s.startHTTPD()
}

// findJava sets the Java that the demo's scripts use.
func (s *stack) findJava() error {
	java, err := filepath.Glob("/usr/lib/jvm/java-17-openjdk-*/bin")
	if err != nil || len(java) == 0 {
		return fmt.Errorf("no Java 17 in /usr/lib/jvm")
	}
	s.params["JAVA_BIN"] = java[0]
	return nil
}

// startTomcat starts the board's Tomcat with the present parameters. httpd shows if it answers.
func (s *stack) startTomcat() error {
	if err := s.run(s.demo("tomcat/prepare.sh")); err != nil {
		return err
	}
	now := func() error { return nil }
	return s.part("tomcat", s.core("tomcat"), now, s.demo("tomcat/start.sh"))
}

// startHTTPD starts the board's httpd with the parameters as they are now, and waits until it shows a page.
func (s *stack) startHTTPD() error {
	return s.part("httpd", s.core("httpd"), func() error { return s.answers("/StoriesOfTheDay") },
		s.demo("httpd/start.sh"))
}

// mariadbAnswers reports whether the application's MariaDB does.
func (s *stack) mariadbAnswers() error {
	return s.run("mariadb", "--no-defaults", "--user="+s.account, "--socket="+filepath.Join(s.dir, "mariadb/socket"),
		"-e", "SELECT 1")
}

// answers reports whether the application shows a page.
func (s *stack) answers(path string) error { return bed.Shows(s.url() + path) }

// url is the address that users visit.
func (s *stack) url() string {
	scheme := "http"
	if s.tls || strings.Contains(s.params["FRONT"], "-DTLS") {
		scheme = "https"
	}
	return fmt.Sprintf("%s://127.0.0.1:%d", scheme, s.tiers[0].port)
}
