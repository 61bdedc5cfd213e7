#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# start.sh nginx | fpm    runs one of the blog's servers in the foreground; MariaDB is started by the demo's script.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
DEBIAN=$ROOT/.cache/debian

# fill replaces @NAME@ by the parameters.
fill() {
	sed -e "s|@DEMO@|$DEMO|g" -e "s|@DEBIAN@|$DEBIAN|g" -e "s|@NGINX_PORT@|$NGINX_PORT|g" -e "s|@FPM_PORT@|$FPM_PORT|g" \
		-e "s|@CHILDREN@|$CHILDREN|g" "$here/$1"
}

case ${1:-} in
nginx)
	fill nginx.conf >"$DEMO/nginx/nginx.conf"
	exec "$DEBIAN/usr/sbin/nginx" -e "$DEMO/log/nginx-errors.log" -p "$DEMO/nginx" -c "$DEMO/nginx/nginx.conf"
	;;
fpm)
	fill fpm.conf >"$DEMO/fpm/fpm.conf"
	exec env PHP_INI_SCAN_DIR= "$DEBIAN/usr/sbin/php-fpm8.2" -c "$DEMO/fpm/php.ini" -y "$DEMO/fpm/fpm.conf"
	;;
*)
	echo "usage: start.sh nginx|fpm" >&2
	exit 2
	;;
esac
