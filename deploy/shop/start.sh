#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# start.sh haproxy | service | redis | postgresql    runs one of the shop's servers in the foreground.
#
# Parameters by environment: those of prepare.sh; HAPROXY_PORT, SERVICE_PORT, REDIS_PORT; MAXCONN (requests that HAProxy
# hands to the service at a time, 0 for any number), WORKERS (processes of the service), THREADS (of each), POOL
# (connections to PostgreSQL of each), HOLD and OUTSIDE (see shop.py).
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/postgresql.sh"
DEBIAN=$ROOT/.cache/debian

# fill replaces @NAME@ by the parameters.
fill() {
	sed -e "s|@DEMO@|$DEMO|g" -e "s|@HAPROXY_PORT@|$HAPROXY_PORT|g" -e "s|@SERVICE_PORT@|$SERVICE_PORT|g" \
		-e "s|@REDIS_PORT@|$REDIS_PORT|g" -e "s|@POSTGRESQL_PORT@|$POSTGRESQL_PORT|g" -e "s|@MAXCONN@|$MAXCONN|g" \
		-e "s|@PASSWORD@|$(cat "$DEMO/service/password")|g" "$here/$1"
}

case ${1:-} in
haproxy)
	fill haproxy.cfg >"$DEMO/haproxy/haproxy.cfg"
	exec "$DEBIAN/usr/sbin/haproxy" -db -f "$DEMO/haproxy/haproxy.cfg"
	;;
service)
	export PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1
	# A connection that is kept for longer than a run: HAProxy never finds one closed that it wants to use again.
	exec /usr/bin/gunicorn --chdir "$here" --bind "127.0.0.1:$SERVICE_PORT" --worker-class gthread \
		--workers "$WORKERS" --threads "$THREADS" --keep-alive 3600 --graceful-timeout 3 \
		--worker-tmp-dir "$DEMO/service" --error-logfile "$DEMO/log/service.log" shop:application
	;;
redis)
	fill redis.conf >"$DEMO/redis/redis.conf"
	exec "$DEBIAN/usr/bin/redis-server" "$DEMO/redis/redis.conf"
	;;
postgresql)
	run_postgresql
	;;
*)
	echo "usage: start.sh haproxy|service|redis|postgresql" >&2
	exit 2
	;;
esac
