// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// java finds the files of servers in Java, as exporters/check and exporters/jmx fetch them. The path is relative to
// the project's root, and empty if nothing was fetched.
func java(name string) (classPath, agent string) {
	jars, err := filepath.Abs(".cache/check/jars/" + name)
	if _, missing := os.Stat(jars); err != nil || missing != nil {
		return "", ""
	}
	found, _ := filepath.Glob(".cache/jmx/jmx_prometheus_javaagent-*.jar")
	if len(found) == 0 {
		return "", ""
	}
	agent, err = filepath.Abs(found[0])
	if err != nil {
		return "", ""
	}
	return jars + "/*", agent
}

// javaCounter is how a server in Java shows its own counters.
type javaCounter struct {
	option string // starts the server's virtual machine with it
	url    string
}

const countedBeans = `lowercaseOutputName: false
rules:
  - pattern: '%s'
    name: proof_requests_total
    labels: {kind: '$1'}
    type: COUNTER
`

// countBeans exports the counters whose bean the pattern finds; its first group is the kind.
func countBeans(b *bed.Bed, agent, pattern string) (c javaCounter, err error) {
	port, err := bed.FreePort()
	if err != nil {
		return c, err
	}
	config, err := b.Write("beans.yml", fmt.Sprintf(countedBeans, pattern))
	c.option = fmt.Sprintf("-javaagent:%s=127.0.0.1:%d:%s", agent, port, config)
	c.url = fmt.Sprintf("http://127.0.0.1:%d/metrics", port)
	return c, err
}

// sum adds up the kinds that are wanted.
func (c javaCounter) sum(wanted func(kind string) bool) (n int64, err error) {
	counts, err := c.byKind()
	for kind, of := range counts {
		if wanted(kind) {
			n += of
		}
	}
	return n, err
}

func (c javaCounter) byKind() (map[string]int64, error) {
	samples, err := bed.Scrape(c.url)
	counts := make(map[string]int64)
	for _, s := range samples.Select("proof_requests_total") {
		counts[s.Labels["kind"]] += int64(s.Value)
	}
	return counts, err
}

const javaStart = 3 * time.Minute
