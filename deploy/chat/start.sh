#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# start.sh nginx | synapse | postgresql   runs one of the chat's servers in the foreground
# start.sh locks                          locks the events for 300 ms every 2 s, as a migration may
#
# Parameters by environment: those of prepare.sh; NGINX_PORT, POOL (connections to PostgreSQL, and as many threads that
# ask it).
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/postgresql.sh"
DEBIAN=$ROOT/.cache/debian

# fill replaces @NAME@ by the parameters.
fill() {
	sed -e "s|@DEMO@|$DEMO|g" -e "s|@NGINX_PORT@|$NGINX_PORT|g" -e "s|@SYNAPSE_PORT@|$SYNAPSE_PORT|g" \
		-e "s|@POSTGRESQL_PORT@|$POSTGRESQL_PORT|g" -e "s|@POOL@|$POOL|g" -e "s|@ACCESS_LOG@|${ACCESS_LOG:-off}|g" \
		-e "s|@PASSWORD@|$(cat "$DEMO/synapse/password")|g" -e "s|@SECRET@|$(cat "$DEMO/synapse/secret")|g" "$here/$1"
}

case ${1:-} in
nginx)
	fill nginx.conf >"$DEMO/nginx/nginx.conf"
	exec "$DEBIAN/usr/sbin/nginx" -e "$DEMO/log/nginx-errors.log" -p "$DEMO/nginx" -c "$DEMO/nginx/nginx.conf"
	;;
synapse)
	fill homeserver.yaml >"$DEMO/synapse/homeserver.yaml"
	cp "$here/log.yaml" "$DEMO/synapse/"
	export PYTHONPATH="$ROOT/.cache/chat/packages" PYTHONDONTWRITEBYTECODE=1
	cd "$DEMO/synapse"
	set -- -m synapse.app.homeserver --config-path homeserver.yaml
	[ -s signing.key ] || /usr/bin/python3 "$@" --generate-keys
	exec /usr/bin/python3 "$@"
	;;
postgresql)
	run_postgresql
	;;
locks)
	lock_now_and_then synapse events
	;;
*)
	echo "usage: start.sh nginx|synapse|postgresql|locks" >&2
	exit 2
	;;
esac
