// SPDX-License-Identifier: Apache-2.0

package main

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"

	"github.com/nstar-project/nstar/exporters/proof/bed"
)

//go:embed cassandra.py
var cassandraClient string

const cassandraConfig = `cluster_name: proof
num_tokens: 1
partitioner: org.apache.cassandra.dht.Murmur3Partitioner
data_file_directories: [%[1]s/data]
commitlog_directory: %[1]s/commitlog
saved_caches_directory: %[1]s/saved
hints_directory: %[1]s/hints
cdc_raw_directory: %[1]s/cdc
commitlog_sync: periodic
commitlog_sync_period: 10000ms
listen_address: 127.0.0.1
storage_port: %[2]d
rpc_address: 127.0.0.1
native_transport_port: %[3]d
endpoint_snitch: SimpleSnitch
seed_provider: [{class_name: org.apache.cassandra.locator.SimpleSeedProvider, parameters: [{seeds: '127.0.0.1:%[2]d'}]}]
`

// cassandraOpens are the packages that the release's conf/jvm17-server.options opens.
var cassandraOpens = map[string]string{
	"--add-exports": "java.base/jdk.internal.misc java.base/jdk.internal.ref java.base/sun.nio.ch " +
		"java.base/java.lang.ref java.management.rmi/com.sun.jmx.remote.internal.rmi java.rmi/sun.rmi.registry " +
		"java.rmi/sun.rmi.server java.sql/java.sql jdk.unsupported/sun.misc",
	"--add-opens": "java.base/java.io java.base/java.lang java.base/java.lang.module java.base/java.lang.reflect " +
		"java.base/java.math java.base/java.net java.base/java.nio java.base/java.util " +
		"java.base/java.util.concurrent java.base/java.util.concurrent.atomic java.base/jdk.internal.loader " +
		"java.base/jdk.internal.math java.base/jdk.internal.module java.base/jdk.internal.ref " +
		"java.base/jdk.internal.reflect java.base/jdk.internal.util.jar java.base/jdk.internal.vm " +
		"java.base/sun.nio.ch jdk.management/com.sun.management.internal",
}

// startCassandra is one node under the Python driver, which counts its requests.
func startCassandra(b *bed.Bed, _, python string) (*subject, error) {
	port, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	s := &subject{name: "cassandra", port: port}
	class, _ := java("cassandra")
	if python == "" || class == "" {
		return s, nil
	}
	storage, err := bed.FreePort()
	if err != nil {
		return nil, err
	}
	script, err := b.Write("client.py", cassandraClient)
	if err != nil {
		return nil, err
	}
	config, err := b.Write("cassandra.yaml", fmt.Sprintf(cassandraConfig, b.Dir, storage, port))
	if err != nil {
		return nil, err
	}
	argv := []string{"taskset", "-c", "0", "java", "-Xmx512m", "-XX:+UseSerialGC", "-Djdk.attach.allowAttachSelf=true",
		"-Dcassandra.config=file://" + config,
		"-Dcassandra.storagedir=" + b.Dir, "-Dcassandra-foreground=yes"}
	for option, names := range cassandraOpens {
		for _, name := range strings.Fields(names) {
			argv = append(argv, option, name+"=ALL-UNNAMED")
		}
	}
	if _, err := b.Start("cassandra", append(argv, "-cp", class,
		"org.apache.cassandra.service.CassandraDaemon")...); err != nil {
		return nil, err
	}
	count := clientCount{}
	run := func(version string) func() error {
		return func() error { return count.run("taskset", "-c", "0", python, script, version, strconv.Itoa(port)) }
	}
	if err := bed.WaitFor(javaStart, run("4")); err != nil {
		return nil, err
	}
	for _, version := range []string{"5", "4", "3"} {
		s.loads = append(s.loads, load{
			name: "Python driver, version " + version + " of the protocol", run: run(version),
			source:   "the driver's own count",
			answered: count.answered,
		})
	}
	// batches are left to the others
	s.kinds, s.byKind = []string{"CQL QUERY", "CQL PREPARE", "CQL EXECUTE"}, count.byKind
	return s, nil
}
