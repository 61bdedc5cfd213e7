// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

// pipelineStack starts the pipeline's JVMs by the scripts of deploy/pipeline; each has its exporter inside.
type pipelineStack struct {
	*servers
	dir     string
	ports   map[string]int
	clients *bed.Process
}

// jvms are the programs that are scraped, by the tier that they are, with the configurations of their exporter.
var jvms = []struct {
	tier, job string
	configs   []string
}{
	{"kafka", "kafka", []string{"kafka/broker.yml"}},
	{"cassandra", "cassandra", []string{"cassandra/node.yml"}},
	{pipeline.clients, "producers", []string{"kafka/client.yml"}},
	// The executor, which is in the driver's JVM, is Kafka's consumer.
	{"spark", "stream", []string{"spark/streaming.yml", "kafka/client.yml"}},
}

// warming is how long the JVMs run with the whole processors before they get a setup's shares: the setups are not
// about the time for compiling and loading.
const warming = 20 * time.Second

// begin starts Kafka, Cassandra, the clients (which create the topic), and the stream.
func (r *pipelineStack) begin(ctx context.Context) error {
	if err := bed.Account(r.account).Directories(r.dir, "", "kafka", "spark", "cassandra", "log"); err != nil {
		return err
	}
	r.ports = map[string]int{"KAFKA_PORT": r.app.tiers[0].port, "CONTROLLER_PORT": 29293,
		"CASSANDRA_PORT": r.app.tiers[2].port, "STORAGE_PORT": 29295, "JMX_PORT": 29296}
	names := []string{"STREAM_CONTROL", "PRODUCERS_CONTROL"}
	for _, j := range jvms {
		names = append(names, metricsOf(j.job))
	}
	for _, name := range names {
		port, err := bed.FreePort()
		if err != nil {
			return err
		}
		r.ports[name] = port
	}
	if _, err := bed.Run(r.as("", r.deploy("prepare.sh"))...); err != nil {
		return err
	}
	if _, err := r.aside("controller"); err != nil {
		return err
	}
	if err := r.jvm("kafka", "kafka", "KAFKA_PORT"); err != nil {
		return err
	}
	if err := r.jvm("cassandra", "cassandra", "CASSANDRA_PORT"); err != nil {
		return err
	}
	var err error
	if r.clients, err = r.aside("producers"); err != nil {
		return err
	}
	if err := awaited(r.clients, func() error { return r.open("PRODUCERS_CONTROL") }); err != nil {
		return err
	}
	if err := r.jvm("spark", "stream", "STREAM_CONTROL"); err != nil {
		return err
	}
	_, _, err = r.try(ctx, "warming", r.app.flood.clients, r.app.flood.think, warming)
	return err
}

func (r *pipelineStack) deploy(script string) string {
	return filepath.Join(r.root, "deploy/pipeline", script)
}

func metricsOf(job string) string { return "METRICS_" + job }

// as is how a script runs for a program, whose exporter's port and configuration it gets.
func (r *pipelineStack) as(job string, argv ...string) []string {
	var environment []string
	for name, port := range r.ports {
		environment = append(environment, fmt.Sprintf("%s=%d", name, port))
	}
	if port := r.ports[metricsOf(job)]; port != 0 {
		environment = append(environment, fmt.Sprintf("METRICS=%d", port), "CONFIG="+r.bed.Path(job+".yml"))
	}
	return r.script(r.dir, environment, argv...)
}

// jvm starts a tier's program and waits until it listens.
func (r *pipelineStack) jvm(tier, job, port string) error {
	if err := r.watched(job); err != nil {
		return err
	}
	return r.tier(tier, func() error { return r.open(port) }, r.as(job, r.deploy("start.sh"), job)...)
}

// aside starts a program that is no tier, on the load's processor.
func (r *pipelineStack) aside(job string) (*bed.Process, error) {
	if err := r.watched(job); err != nil {
		return nil, err
	}
	p, err := r.bed.Start(job, append(pinned(bed.Processors()[:1], r.nice), r.as(job, r.deploy("start.sh"), job)...)...)
	if err == nil {
		r.started[job] = p
	}
	return p, err
}

// watched writes the configuration of a program's exporter, if it has one.
func (r *pipelineStack) watched(job string) error {
	for _, j := range jvms {
		if j.job != job {
			continue
		}
		text, err := merged(filepath.Join(r.root, "exporters"), j.configs...)
		if err != nil {
			return err
		}
		_, err = r.bed.Write(job+".yml", text)
		return err
	}
	return nil
}

// merged is a configuration of jmx_exporter that has the lists of several: a JVM has one exporter.
func merged(directory string, files ...string) (string, error) {
	all := map[string]any{}
	for _, name := range files {
		content, err := os.ReadFile(filepath.Join(directory, name))
		if err != nil {
			return "", err
		}
		var one map[string]any
		if err := yaml.Unmarshal(content, &one); err != nil {
			return "", fmt.Errorf("%s: %w", name, err)
		}
		for key, value := range one {
			if list, ok := value.([]any); ok {
				before, _ := all[key].([]any)
				value = append(before, list...)
			}
			all[key] = value
		}
	}
	out, err := yaml.Marshal(all)
	return string(out), err
}

func (r *pipelineStack) open(port string) error {
	c, err := net.Dial("tcp", "127.0.0.1:"+strconv.Itoa(r.ports[port]))
	if err != nil {
		return err
	}
	return c.Close()
}

// exporters are inside of the servers. They are asked every five seconds: an answer takes a server some hundredths of a
// second, which is much of a small share.
func (r *pipelineStack) exporters() ([]job, error) {
	var jobs []job
	for _, j := range jvms {
		jobs = append(jobs, job{name: j.job, tier: j.tier, more: "\n    scrape_interval: 5s",
			address: "127.0.0.1:" + strconv.Itoa(r.ports[metricsOf(j.job)])})
	}
	return jobs, nil
}

// drive has the producers send.
func (r *pipelineStack) drive(_ string, clients int, think, _ time.Duration) (load, error) {
	return flow{r}, r.command("PRODUCERS_CONTROL",
		fmt.Sprintf("start?clients=%d&gap=%d&seed=%d", clients, think.Nanoseconds(), clients), nil)
}

// calm makes the stream skip what Kafka holds, which after an overload is the work of minutes.
func (r *pipelineStack) calm(context.Context) error { return r.command("STREAM_CONTROL", "fresh", nil) }

// patience is how long a program may take for a command: a stream that ends waits for its batch.
var patience = http.Client{Timeout: 30 * time.Second}

// command makes a program do something, and reads its answer if there is a place for it.
func (r *pipelineStack) command(port, path string, into any) error {
	answer, err := patience.Get(fmt.Sprintf("http://127.0.0.1:%d/%s", r.ports[port], path))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, answer.Status)
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(answer.Body).Decode(into)
}

// flow is the load of the producers; its result is counted at the end of the pipeline.
type flow struct{ *pipelineStack }

func (f flow) outcome() (o outcome, err error) {
	var sent outcome
	err = errors.Join(f.command("STREAM_CONTROL", "summary", &o), f.command("PRODUCERS_CONTROL", "summary", &sent))
	o.Errors += sent.Errors
	return o, err
}

func (f flow) Ended() error {
	return errors.Join(f.clients.Ended(), f.started["kafka"].Ended(), f.started["spark"].Ended(),
		f.started["cassandra"].Ended())
}

func (f flow) Stop() error { return f.command("PRODUCERS_CONTROL", "stop", nil) }
