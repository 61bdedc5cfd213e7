#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# prepare.sh writes the servers' configurations and empties their directories; none of them may run. A record that an
# earlier run left must not be the work of the next one. Parameters by environment: ROOT, DEMO (a directory with kafka/,
# spark/, cassandra/, log/ that this account owns), the ports of start.sh, and
#   NETWORK_THREADS, IO_THREADS   Kafka's pools
#   FLUSH_MESSAGES                records after which Kafka waits for the disk
#   WRITE_THREADS                 Cassandra's pool for writes
#   COMMITLOG                     when Cassandra waits for the disk: periodic (never), group (every 10 ms), batch (each
#                                 write)
set -euo pipefail
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
# shellcheck source=../../exporters/check/cassandra.sh
. "$ROOT/exporters/check/cassandra.sh"

rm -rf "$DEMO/kafka/broker" "$DEMO/kafka/controller" "$DEMO"/spark/* "$DEMO"/cassandra/*
for role in controller broker; do
	sed -e "s|@DEMO@|$DEMO|g" -e "s|@KAFKA_PORT@|$KAFKA_PORT|g" -e "s|@CONTROLLER_PORT@|$CONTROLLER_PORT|g" \
		-e "s|@NETWORK_THREADS@|$NETWORK_THREADS|g" -e "s|@IO_THREADS@|$IO_THREADS|g" \
		-e "s|@FLUSH_MESSAGES@|$FLUSH_MESSAGES|g" "$here/$role.properties" >"$DEMO/kafka/$role.properties"
	java -Xmx128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$ROOT/.cache/check/jars/kafka/*" \
		kafka.tools.StorageTool format --cluster-id=4L6g3nShT-eMCtK--X86sw \
		--config="$DEMO/kafka/$role.properties" >"$DEMO/log/format.log" 2>&1 || {
		tail -n 20 "$DEMO/log/format.log" >&2
		exit 1
	}
done
{
	cassandra_yaml "$DEMO/cassandra" "$CASSANDRA_PORT" "$STORAGE_PORT"
	echo "concurrent_writes: $WRITE_THREADS"
	case $COMMITLOG in
	periodic) printf '%s\n' 'commitlog_sync: periodic' 'commitlog_sync_period: 10000ms' ;;
	group) printf '%s\n' 'commitlog_sync: group' 'commitlog_sync_group_window: 10ms' ;;
	batch) echo 'commitlog_sync: batch' ;;
	esac
} >"$DEMO/cassandra/cassandra.yaml"
