#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# prepare.sh data          makes what the front server needs, and the data directories of both databases
# prepare.sh load          fills both databases with the same (both must run)
#
# All but the two ends is the demo's: each database and each Tomcat has a directory of its own as the demo's have,
# replica1 and replica2. Parameters by environment: those of the demo's scripts, DATABASE1_PORT, DATABASE2_PORT.
set -eu
umask 027
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"
. "$ROOT/deploy/lib/database.sh"

# Pages go to either database with the same password.
one_password() {
	[ -s "$DEMO/replica2/mariadb/bboard.password" ] || {
		kept_secret "$DEMO/replica1/mariadb/bboard.password" >"$DEMO/replica2/mariadb/bboard.password"
	}
}

# each runs the demo's step for both databases.
each() {
	for replica in 1 2; do
		eval "port=\$DATABASE${replica}_PORT"
		DEMO=$DEMO/replica$replica MARIADB_PORT=$port "$ROOT/deploy/demo/mariadb/prepare.sh" "$1"
	done
}

# front makes the certificate, and files of 1 to 10 MB.
front() {
	cd "$DEMO/httpd"
	[ -s certificate.pem ] || openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=localhost \
		-addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out certificate.pem 2>/dev/null
	mkdir -p files
	for megabytes in 1 2 5 10; do
		[ -s "files/$megabytes" ] || head -c "${megabytes}000000" /dev/urandom >"files/$megabytes"
	done
}

case ${1:-} in
data)
	front
	one_password
	each data
	;;
load)
	each load
	for replica in 1 2; do
		mariadb_as_administrator "$DEMO/replica$replica/mariadb" -e "CREATE USER IF NOT EXISTS 'haproxy'@'127.0.0.1'"
	done
	;;
*)
	echo "usage: prepare.sh data|load" >&2
	exit 2
	;;
esac
