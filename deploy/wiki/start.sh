#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# start.sh httpd | memcached   runs one of the wiki's servers in the foreground; MariaDB is started by the demo's script
# start.sh locks               locks the table of pages for 300 ms every 2 s, as a change of its schema or a backup may
#
# Parameters by environment: those of prepare.sh; WORKERS (processes of httpd at most), PARSER_CACHE (0:
# every view of a page translates its text).
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
export DEBIAN="$ROOT/.cache/debian"

case ${1:-} in
httpd)
	cp "$here/httpd.conf" "$DEMO/httpd/"
	export MW_CONFIG_FILE="$DEMO/wiki/LocalSettings.php" PHP_INI_SCAN_DIR=
	exec /usr/sbin/apache2 -f "$DEMO/httpd/httpd.conf" -DFOREGROUND
	;;
memcached)
	exec "$DEBIAN/usr/bin/memcached" --listen=127.0.0.1 --port="$MEMCACHED_PORT" --memory-limit=64
	;;
locks)
	while :; do
		echo 'LOCK TABLES page WRITE; DO SLEEP(0.3); UNLOCK TABLES; DO SLEEP(1.7);'
	done | exec mariadb --no-defaults --unbuffered --user="$DEMO_USER" --socket="$DEMO/mariadb/socket" wiki
	;;
*)
	echo "usage: start.sh httpd|memcached|locks" >&2
	exit 2
	;;
esac
