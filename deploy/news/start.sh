#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# start.sh nginx | node | memcached | postgresql   runs one of the news site's servers in the foreground
# start.sh locks                                   locks the comments for 300 ms every 2 s, as a migration may
#
# Parameters by environment: those of prepare.sh; NGINX_PORT, NODE_PORT, MEMCACHED_PORT; POOL (connections to
# PostgreSQL), HOLD, OUTSIDE and BLOCK (see news.js).
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/postgresql.sh"
DEBIAN=$ROOT/.cache/debian

case ${1:-} in
nginx)
	sed -e "s|@DEMO@|$DEMO|g" -e "s|@NGINX_PORT@|$NGINX_PORT|g" -e "s|@NODE_PORT@|$NODE_PORT|g" "$here/nginx.conf" \
		>"$DEMO/nginx/nginx.conf"
	exec "$DEBIAN/usr/sbin/nginx" -e "$DEMO/log/nginx-errors.log" -p "$DEMO/nginx" -c "$DEMO/nginx/nginx.conf"
	;;
node)
	PATH=$PATH:$ROOT/.cache/node/bin
	exec node "$ROOT/.cache/news/news.js"
	;;
memcached)
	exec "$DEBIAN/usr/bin/memcached" --listen=127.0.0.1 --port="$MEMCACHED_PORT" --threads=1 --memory-limit=64
	;;
postgresql)
	run_postgresql
	;;
locks)
	lock_now_and_then news comments
	;;
*)
	echo "usage: start.sh nginx|node|memcached|postgresql|locks" >&2
	exit 2
	;;
esac
