#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# start.sh haproxy | keycloak | postgresql | outside    runs one of the servers in the foreground
#
# Parameters by environment: those of prepare.sh; HAPROXY_PORT, KEYCLOAK_PORT, OUTSIDE_PORT; COLLECTOR (a name of the
# JVM's, as SerialGC), COMPILER (1: only the JVM's quick one, which is done within seconds; 4: all), THREADS (of
# Keycloak, that serve requests), POOL (connections to PostgreSQL at most).
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/postgresql.sh"
DEBIAN=$ROOT/.cache/debian
. "$here/keycloak.sh"

case ${1:-} in
haproxy)
	sed -e "s|@HAPROXY_PORT@|$HAPROXY_PORT|g" -e "s|@KEYCLOAK_PORT@|$KEYCLOAK_PORT|g" "$here/haproxy.cfg" \
		>"$DEMO/haproxy/haproxy.cfg"
	exec "$DEBIAN/usr/sbin/haproxy" -db -f "$DEMO/haproxy/haproxy.cfg"
	;;
keycloak)
	database
	export JAVA_OPTS_KC_HEAP="-Xms512m -Xmx512m"
	export JAVA_OPTS_APPEND="-XX:-UseG1GC -XX:+Use$COLLECTOR -XX:TieredStopAtLevel=$COMPILER"
	exec "$DEMO/keycloak/home/bin/kc.sh" start --optimized --cache=local --http-enabled=true --http-host=127.0.0.1 \
		--http-port="$KEYCLOAK_PORT" --proxy-headers=xforwarded --hostname-strict=false --log-level=warn \
		--http-pool-max-threads="$THREADS" --db-pool-max-size="$POOL"
	;;
outside)
	exec /usr/bin/python3 "$here/outside.py" "$OUTSIDE_PORT"
	;;
postgresql)
	run_postgresql
	;;
*)
	echo "usage: start.sh haproxy|keycloak|postgresql|outside" >&2
	exit 2
	;;
esac
