#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# start.sh nginx | fpm | dovecot   runs one of the webmail's servers in the foreground; MariaDB is started by the demo's
# script.
#
# Parameters by environment: those of prepare.sh; FPM_PORT; CHILDREN (of PHP-FPM), LOGINS (whose passwords Dovecot looks
# up at a time), OUTSIDE (seconds that each of these waits for something outside; 0: not at all).
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
DEBIAN=$ROOT/.cache/debian

# fill replaces @NAME@ by the parameters.
fill() {
	sed -e "s|@DEMO@|$DEMO|g" -e "s|@DEBIAN@|$DEBIAN|g" -e "s|@NGINX_PORT@|$NGINX_PORT|g" \
		-e "s|@FPM_PORT@|$FPM_PORT|g" -e "s|@IMAP_PORT@|$IMAP_PORT|g" -e "s|@CHILDREN@|$CHILDREN|g" \
		-e "s|@LOGINS@|$LOGINS|g" -e "s|@ACCESS_LOG@|${ACCESS_LOG:-off}|g" -e "s|@OUTSIDE@|$OUTSIDE|g" \
		-e "s|@DEMO_USER@|$DEMO_USER|g" -e "s|@GROUP@|$(id -gn)|g" \
		-e "s|@PASSWORD@|$(cat "$DEMO/dovecot/password")|g" "$here/$1"
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
dovecot)
	fill dovecot.conf >"$DEMO/dovecot/dovecot.conf"
	fill password.lua >"$DEMO/dovecot/password.lua"
	rm -rf "$DEMO/dovecot/run"
	mkdir -p "$DEMO/dovecot/run"
	export LD_LIBRARY_PATH="$DEBIAN/usr/lib/dovecot:$DEBIAN/usr/lib/dovecot/modules/old-stats"
	# Dovecot would look for this program in /usr/bin.
	exec "$DEBIAN/usr/bin/doveconf" -c "$DEMO/dovecot/dovecot.conf" -f service=master -p \
		-e "$DEBIAN/usr/sbin/dovecot" -F -c "$DEMO/dovecot/dovecot.conf"
	;;
*)
	echo "usage: start.sh nginx|fpm|dovecot" >&2
	exit 2
	;;
esac
