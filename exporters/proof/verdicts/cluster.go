// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The servers of which the cluster has two.
const (
	tomcat1   = "tomcat-1"
	tomcat2   = "tomcat-2"
	database1 = "mariadb-1"
	database2 = "mariadb-2"
)

// cluster is the papers' topology 1/2/1/2 of replicated servers: httpd hands pages to two of the board's Tomcats in
// turn, and HAProxy, in TCP mode, the connections of their pools to two MariaDBs with the same data. An exporter
// without a configuration names the second of two after its port.
var cluster = application{
	name: "cluster",
	tiers: []tier{
		// HTTP or TLS
		{name: "httpd", found: "apache2", protocol: "auto", port: 28120, calls: []string{tomcat1, tomcat2}},
		{name: tomcat1, found: "java", protocol: "ajp", port: 28121, calls: []string{"haproxy"}},
		{name: tomcat2, found: "java:28122", protocol: "ajp", port: 28122, calls: []string{"haproxy"}},
		{name: "haproxy", protocol: "mysql", port: 28123, calls: []string{database1, database2}},
		{name: database1, found: "mariadbd", protocol: "mysql", port: 23312},
		{name: database2, found: "mariadbd:23313", protocol: "mysql", port: 23313},
	},
	ports: map[string]int{"HTTPD_PORT": 28120, "TOMCAT1_PORT": 28121, "TOMCAT2_PORT": 28122, "HAPROXY_PORT": 28123,
		"DATABASE1_PORT": 23312, "DATABASE2_PORT": 23313},
	// FRONT are options of httpd, as -DTLS; SECOND are parameters of the second Tomcat alone, with blanks between.
	params: params{
		"COLLECTOR": "g1", "POOL": "32", "THREADS": "400", "WORKERS": "400", "LIVE_MB": "50", "HOLD": "0",
		"OUTSIDE": "0",
		"COLLECT": "0", "COMPUTE": "0", "HEAP": "600m", "YOUNG": "300m", "FRONT": "", "SECOND": "",
	},
	prepare: prepareCluster,
	start:   startCluster,
}

func prepareCluster(s *stack) error {
	directories := []string{"httpd", "haproxy", "log", "bin"}
	for i := range 2 {
		for _, name := range []string{"", "mariadb", "tomcat", "log"} {
			directories = append(directories, filepath.Join(replica(i), name))
		}
	}
	if err := installed(directories...)(s); err != nil {
		return err
	}
	for i := range 2 {
		_ = os.Symlink("../bin", filepath.Join(s.dir, replica(i), "bin")) // there from the run before
	}
	return s.prepareDemo()
}

// replica is the directory of one of two servers of a kind.
func replica(i int) string { return fmt.Sprintf("replica%d", i+1) }

// ofReplica is a command of the demo with the directory and the port of one of two servers of a kind.
func (s *stack) ofReplica(i int, port string, of string, argv ...string) []string {
	assigned := []string{"env", "DEMO=" + filepath.Join(s.dir, replica(i)),
		fmt.Sprintf("%s=%d", port, s.ports[fmt.Sprintf("%s%d_PORT", of, i+1)])}
	return append(assigned, argv...)
}

func startCluster(s *stack) error {
	if err := s.findJava(); err != nil {
		return err
	}
	if err := s.run(s.script("prepare.sh"), "data"); err != nil {
		return err
	}
	for i, name := range []string{database1, database2} {
		if err := s.part(name, others(), s.listens(fmt.Sprintf("DATABASE%d_PORT", i+1)),
			s.ofReplica(i, "MARIADB_PORT", "DATABASE", s.demo("mariadb/start.sh"))...); err != nil {
			return err
		}
	}
	if err := s.run(s.script("prepare.sh"), "load"); err != nil {
		return err
	}
	start := s.script("start.sh")
	if err := s.part("haproxy", others(), s.listens("HAPROXY_PORT"), start, "haproxy"); err != nil {
		return err
	}
	for i, name := range []string{tomcat1, tomcat2} {
		own := []string{fmt.Sprintf("JMX_PORT=%d", jmxPort+i), fmt.Sprintf("MARIADB_PORT=%d", s.ports["HAPROXY_PORT"])}
		if i == 1 {
			own = append(own, strings.Fields(s.params["SECOND"])...)
		}
		of := func(script string) []string {
			return append(s.ofReplica(i, "AJP_PORT", "TOMCAT", own...), s.demo(script))
		}
		if err := s.run(of("tomcat/prepare.sh")...); err != nil {
			return err
		}
		if err := s.part(name, middle(), s.listens(fmt.Sprintf("TOMCAT%d_PORT", i+1)),
			of("tomcat/start.sh")...); err != nil {
			return err
		}
	}
	options := append([]string{start, "httpd"}, strings.Fields(s.params["FRONT"])...)
	return s.part("httpd", others(), func() error {
		return s.run("curl", "-fsk", "--max-time", "5", "-o", "/dev/null", s.url()+"/StoriesOfTheDay")
	}, options...)
}

// jmxPort is the first Tomcat's port for an agent that is not used; the second Tomcat has the next port.
const jmxPort = 29407
