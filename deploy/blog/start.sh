#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# start.sh nginx | httpd | fpm    runs one of the blog's servers in the foreground, in front nginx or httpd; MariaDB is
# started by the demo's script. With STATUS_PORT, PHP-FPM shows its metrics there, and httpd passes them on. With
# OVER=unix nginx asks PHP-FPM over a Unix socket, as Debian's packages do, and PHP asks MariaDB over one.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
DEBIAN=$ROOT/.cache/debian

fpm=127.0.0.1:$FPM_PORT upstream=127.0.0.1:$FPM_PORT database=127.0.0.1:$MARIADB_PORT
[ "${OVER:-tcp}" = tcp ] || {
	fpm=$DEMO/fpm/socket upstream=unix:$DEMO/fpm/socket database=localhost:$DEMO/mariadb/socket
}

# fill replaces @NAME@ by the parameters.
fill() {
	sed -e "s|@DEMO@|$DEMO|g" -e "s|@DEBIAN@|$DEBIAN|g" -e "s|@NGINX_PORT@|$NGINX_PORT|g" \
		-e "s|@FPM@|$fpm|g" -e "s|@UPSTREAM@|$upstream|g" -e "s|@DATABASE@|$database|g" \
		-e "s|@CHILDREN@|$CHILDREN|g" "$here/$1"
}

case ${1:-} in
nginx)
	fill nginx.conf >"$DEMO/nginx/nginx.conf"
	exec "$DEBIAN/usr/sbin/nginx" -e "$DEMO/log/nginx-errors.log" -p "$DEMO/nginx" -c "$DEMO/nginx/nginx.conf"
	;;
httpd)
	cp "$here/httpd.conf" "$ROOT/exporters/apache/status.conf" "$DEMO/httpd/"
	cp "$ROOT/exporters/php-fpm/httpd.conf" "$DEMO/httpd/fpm-status.conf"
	exec /usr/sbin/apache2 -f "$DEMO/httpd/httpd.conf" -DFOREGROUND
	;;
fpm)
	fill fpm.conf >"$DEMO/fpm/fpm.conf"
	if [ -n "${STATUS_PORT:-}" ]; then
		sed "s/127.0.0.1:9253/127.0.0.1:$STATUS_PORT/" "$ROOT/exporters/php-fpm/pool.conf" >>"$DEMO/fpm/fpm.conf"
	fi
	exec env PHP_INI_SCAN_DIR= "$DEBIAN/usr/sbin/php-fpm8.2" -c "$DEMO/fpm/php.ini" -y "$DEMO/fpm/fpm.conf"
	;;
*)
	echo "usage: start.sh nginx|httpd|fpm" >&2
	exit 2
	;;
esac
