#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# start.sh httpd [OPTION...] | haproxy    runs one of the cluster's balancers in the foreground, httpd with
# options as -DTLS. What they balance are the demo's servers, each started by the demo's script in a directory of its
# own.
#
# Parameters by environment: HTTPD_PORT, TOMCAT1_PORT, TOMCAT2_PORT, HAPROXY_PORT, DATABASE1_PORT, DATABASE2_PORT;
# WORKERS (threads of httpd), THREADS (AJP connections to each Tomcat).
set -eu
umask 077
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEMO:?}" "${ROOT:?}"

case ${1:-} in
httpd)
	shift
	exec /usr/sbin/apache2 -f "$here/httpd.conf" -DFOREGROUND "$@"
	;;
haproxy)
	sed -e "s|@HAPROXY_PORT@|$HAPROXY_PORT|g" -e "s|@DATABASE1_PORT@|$DATABASE1_PORT|g" \
		-e "s|@DATABASE2_PORT@|$DATABASE2_PORT|g" "$here/haproxy.cfg" >"$DEMO/haproxy/haproxy.cfg"
	exec "$ROOT/.cache/debian/usr/sbin/haproxy" -db -f "$DEMO/haproxy/haproxy.cfg"
	;;
*)
	echo "usage: start.sh httpd|haproxy" >&2
	exit 2
	;;
esac
