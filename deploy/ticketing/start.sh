#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# start.sh uvicorn | redis | rabbitmq | epmd | postgresql   runs one of the ticketing's servers in the foreground
# start.sh worker                                           runs what takes jobs from RabbitMQ
# start.sh locks                                            locks the tickets for 300 ms every 2 s, as a migration may
#
# Parameters by environment: those of prepare.sh; SERVICE_PORT, REDIS_PORT, AMQP_PORT, EPMD_PORT and CLUSTER_PORT (on
# which Erlang's nodes find each other and talk); POOL (connections of the service to PostgreSQL), HOLD, OUTSIDE and
# BLOCK (see ticketing.py), PREFETCH and WORK (see worker.py).
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/postgresql.sh"
DEBIAN=$ROOT/.cache/debian
. "$ROOT/deploy/lib/rabbitmq.sh"

# fill replaces @NAME@ by the parameters.
fill() {
	sed -e "s|@DEMO@|$DEMO|g" -e "s|@REDIS_PORT@|$REDIS_PORT|g" -e "s|@AMQP_PORT@|$AMQP_PORT|g" \
		-e "s|@PASSWORD@|$(cat "$DEMO/service/password")|g" "$here/$1"
}

export PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1

case ${1:-} in
uvicorn)
	# Connections are kept for longer than a run.
	exec /usr/bin/uvicorn --app-dir "$here" --host 127.0.0.1 --port "$SERVICE_PORT" --loop uvloop --http httptools \
		--timeout-keep-alive 3600 --no-access-log --log-level warning ticketing:application
	;;
worker)
	exec /usr/bin/python3 "$here/worker.py"
	;;
redis)
	fill redis.conf >"$DEMO/redis/redis.conf"
	exec "$DEBIAN/usr/bin/redis-server" "$DEMO/redis/redis.conf"
	;;
epmd)
	run_epmd
	;;
rabbitmq)
	dir=$DEMO/rabbitmq
	rm -rf "$dir/data" # nothing in it outlives a run
	fill rabbitmq.conf >"$dir/rabbitmq.conf"
	run_rabbitmq ticketing "$dir" "$DEMO/log"
	;;
postgresql)
	run_postgresql
	;;
locks)
	lock_now_and_then ticketing tickets
	;;
*)
	echo "usage: start.sh uvicorn|worker|redis|epmd|rabbitmq|postgresql|locks" >&2
	exit 2
	;;
esac
