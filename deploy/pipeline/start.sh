#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# start.sh controller | kafka | cassandra | stream | producers    runs one of the pipeline's programs in the foreground
#
# Parameters by environment: those of prepare.sh; the ports KAFKA_PORT, CONTROLLER_PORT, CASSANDRA_PORT, STORAGE_PORT,
# JMX_PORT (Cassandra's), and of the commands, STREAM_CONTROL and PRODUCERS_CONTROL; METRICS, where the program's
# jmx_exporter listens, and CONFIG, its configuration; TOPIC, PARTITIONS; and
#   ACKS                          what producers wait for
#   BATCH_BYTES, LINGER_MS        how much they send at once at most, and how long they collect it
#   QUOTA_BYTES                   that Kafka takes per second from all producers; 0 for no limit
#   CORES                         tasks that Spark runs at once
#   WORK, LOOKUP_MS               how often each message is scored, and for how long somebody outside is asked about it
#   WRITES_AT_ONCE, ROW_BYTES     rows under way to Cassandra per task, and what is added to the text of each
#   CONDITION                     of each row, by default none: "if not exists" has Cassandra agree with itself first
#
# The JVMs compile with their first compiler only: with the second one they would grow faster for minutes at the small
# shares of a processor that a campaign gives them, and that would look like capacity.
set -euo pipefail
umask 077
: "${DEMO:?}" "${ROOT:?}"
here=$ROOT/exporters/check
exporters=$ROOT/exporters
root=$ROOT
cache=$ROOT/.cache/check
# shellcheck source=../../exporters/check/lib.sh
. "$here/lib.sh"
# shellcheck source=../../exporters/check/cassandra.sh
. "$here/cassandra.sh"
# shellcheck source=../../exporters/check/spark.sh
. "$here/spark.sh"

classes=$root/.cache/pipeline
java=(java -XX:+UseSerialGC -XX:TieredStopAtLevel=1)
watched=()
if [ -n "${METRICS:-}" ]; then
	watched=("$(LISTEN=127.0.0.1:$METRICS CONFIG=$CONFIG JAR_DIR=$root/.cache/jmx "$exporters/jmx/start.sh")")
fi
case ${1:-} in
controller) exec "${java[@]}" -Xmx128m -cp "$(jars kafka)" kafka.Kafka "$DEMO/kafka/controller.properties" ;;
kafka)
	exec "${java[@]}" -Xms256m -Xmx256m "${watched[@]}" -cp "$(jars kafka)" kafka.Kafka "$DEMO/kafka/broker.properties"
	;;
cassandra)
	cassandra_options
	exec "${java[@]}" "${options[@]}" -Xms512m -Xmx512m "-Dcassandra.config=file://$DEMO/cassandra/cassandra.yaml" \
		-Dcassandra.storagedir="$DEMO/cassandra" "-Dcassandra.jmx.local.port=$JMX_PORT" -Dcassandra-foreground=yes \
		-Dcassandra.skip_wait_for_gossip_to_settle=0 "-Dlogback.configurationFile=$root/deploy/pipeline/logback.xml" \
		"${watched[@]}" -cp "$(jars cassandra)" org.apache.cassandra.service.CassandraDaemon
	;;
stream)
	spark_options
	export CONDITION="${CONDITION:-}"
	exec "${java[@]}" "${options[@]}" -Xms600m -Xmx600m "${watched[@]}" -cp "$classes:$(jars pipeline)" Stream
	;;
producers) exec "${java[@]}" -Xmx256m -Xss256k "${watched[@]}" -cp "$classes:$(jars kafka)" Producers ;;
*)
	echo "usage: start.sh controller|kafka|cassandra|stream|producers" >&2
	exit 2
	;;
esac
