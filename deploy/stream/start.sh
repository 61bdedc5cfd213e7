#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# start.sh ingest | kafka | consumer | postgresql    runs one of the stream's servers in the foreground
#
# Parameters by environment: those of prepare.sh and of the services (main.go).
set -eu
umask 077
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/postgresql.sh"

case ${1:-} in
ingest | consumer)
	DATABASE="host=127.0.0.1 port=$POSTGRESQL_PORT user=stream dbname=stream password=$(cat "$DEMO/consumer/password")"
	WRITTEN=$DEMO/consumer/written
	export DATABASE WRITTEN
	exec "$ROOT/.cache/stream/$1"
	;;
kafka)
	# the collector and the pause that Kafka's own script sets, and a heap for one topic
	exec java -Xms512m -Xmx512m -XX:+UseG1GC -XX:MaxGCPauseMillis=20 -XX:InitiatingHeapOccupancyPercent=35 \
		-cp "$ROOT/.cache/check/jars/kafka/*" kafka.Kafka "$DEMO/kafka/server.properties"
	;;
postgresql)
	run_postgresql
	;;
*)
	echo "usage: start.sh ingest|kafka|consumer|postgresql" >&2
	exit 2
	;;
esac
