#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# start.sh varnish | node   runs one of the magazine's servers in the foreground (MariaDB: the demo's script)
# start.sh flush            has Varnish forget all pages every 20 s, as it must when something is published
# start.sh locks            locks the posts for 300 ms every 2 s, as a change of their schema or a backup may
#
# Parameters by environment: those of prepare.sh; VARNISH_PORT, NODE_PORT; THREADS (of Varnish, at most), KEPT (seconds
# for which Varnish may keep a page), GRACE (seconds for which it answers with an older one while it fetches), POOL
# (connections to MariaDB at most).
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/database.sh"
debian=$ROOT/.cache/debian

case ${1:-} in
varnish)
	sed "s|@NODE_PORT@|$NODE_PORT|" "$here/default.vcl" >"$DEMO/varnish/default.vcl"
	exec "$debian/usr/sbin/varnishd" -F -j none -n "$DEMO/varnish/work" -a "127.0.0.1:$VARNISH_PORT" -T none \
		-f "$DEMO/varnish/default.vcl" -s malloc,64m -p listen_depth=1024 -p thread_pools=1 \
		-p "thread_pool_min=$((THREADS < 100 ? THREADS : 100))" -p "thread_pool_max=$THREADS" \
		-p thread_queue_limit=1000 -p "default_grace=$GRACE"
	;;
node)
	PATH=$PATH:$ROOT/.cache/node/bin
	cd "$ROOT/.cache/magazine/package"
	export NODE_ENV=production url="http://127.0.0.1:$VARNISH_PORT" server__host=127.0.0.1 server__port="$NODE_PORT" \
		paths__contentPath="$DEMO/ghost/content" caching__frontend__maxAge="$KEPT" logging__level=warn \
		logging__transports='["stdout"]' privacy__useUpdateCheck=false imageOptimization__resize=false \
		database__client=mysql database__connection__host=127.0.0.1 database__connection__port="$MARIADB_PORT" \
		database__connection__user=ghost database__connection__database=ghost database__pool__min=0 \
		database__pool__max="$POOL"
	database__connection__password=$(cat "$DEMO/ghost/password")
	export database__connection__password
	exec node --require "$here/faults.js" index.js
	;;
flush)
	while :; do
		sleep 20
		curl --silent --output /dev/null --request BAN "http://127.0.0.1:$VARNISH_PORT/"
	done
	;;
locks)
	while :; do
		echo 'LOCK TABLES posts WRITE; DO SLEEP(0.3); UNLOCK TABLES; DO SLEEP(1.7);'
	done | mariadb_as_administrator "$DEMO/mariadb" --unbuffered ghost
	;;
*)
	echo "usage: start.sh varnish|node|flush|locks" >&2
	exit 2
	;;
esac
