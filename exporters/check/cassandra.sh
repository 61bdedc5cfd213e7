# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# One Cassandra node on Java 17, and a program that writes and reads.

# cassandra_options sets options to what a JVM needs for Cassandra.
cassandra_options() {
	local name
	options=()
	# What the release's conf/jvm17-server.options opens.
	for name in java.base/jdk.internal.misc java.base/jdk.internal.ref java.base/sun.nio.ch \
		java.management.rmi/com.sun.jmx.remote.internal.rmi java.rmi/sun.rmi.registry java.rmi/sun.rmi.server \
		java.sql/java.sql java.base/java.lang.ref jdk.unsupported/sun.misc; do
		options+=(--add-exports "$name=ALL-UNNAMED")
	done
	for name in java.io java.lang java.lang.module java.lang.reflect java.math java.net java.nio java.util \
		java.util.concurrent java.util.concurrent.atomic jdk.internal.loader jdk.internal.math jdk.internal.module \
		jdk.internal.ref jdk.internal.reflect jdk.internal.util.jar jdk.internal.vm sun.nio.ch; do
		options+=(--add-opens "java.base/$name=ALL-UNNAMED")
	done
	options+=(--add-opens jdk.management/com.sun.management.internal=ALL-UNNAMED -Djdk.attach.allowAttachSelf=true)
}

# cassandra_yaml DIR PORT STORAGE_PORT prints a node's configuration but for its commit log's syncs.
cassandra_yaml() {
	cat <<-END
		cluster_name: nstar
		num_tokens: 1
		partitioner: org.apache.cassandra.dht.Murmur3Partitioner
		data_file_directories: [$1/data]
		commitlog_directory: $1/commitlog
		saved_caches_directory: $1/saved
		hints_directory: $1/hints
		cdc_raw_directory: $1/cdc
		listen_address: 127.0.0.1
		storage_port: $3
		rpc_address: 127.0.0.1
		native_transport_port: $2
		endpoint_snitch: SimpleSnitch
		seed_provider: [{class_name: org.apache.cassandra.locator.SimpleSeedProvider,
		                 parameters: [{seeds: '127.0.0.1:$3'}]}]
	END
}

check_cassandra() {
	local class options
	class=$(jars cassandra)
	cassandra_options
	{
		cassandra_yaml "$work" 29042 29700
		printf '%s\n' 'commitlog_sync: periodic' 'commitlog_sync_period: 10000ms'
	} >"$work/cassandra.yaml"
	start cassandra java "${options[@]}" -Xmx512m -XX:+UseSerialGC "-Dcassandra.config=file://$work/cassandra.yaml" \
		-Dcassandra.storagedir="$work" -Dcassandra.jmx.local.port=29199 -Dcassandra-foreground=yes \
		"$(agent 29601 cassandra/node.yml)" -cp "$class" org.apache.cassandra.service.CassandraDaemon
	await 180 bash -c '</dev/tcp/127.0.0.1/29042'
	start load java -Xmx128m -XX:+UseSerialGC -cp "$class" "$here/CassandraLoad.java" 29042 600
	await 90 bash -c 'curl -fs 127.0.0.1:29601/metrics | grep -q "^cassandra_requests_total{operation=\"Write\"} [1-9]"'
	before cassandra 127.0.0.1:29601/metrics
	sleep 10
	after cassandra 127.0.0.1:29601/metrics
	judge cassandra cassandra/series.txt
}
