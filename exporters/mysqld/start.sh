#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Runs mysqld_exporter in the foreground. Parameters by environment:
#   LISTEN   address, default 127.0.0.1:9104
#   MY_CNF   option file with host, port, user and password under [client],
#            default ~/.my.cnf; keep it readable by the exporter alone
#   PROGRAM  default prometheus-mysqld-exporter (Debian) on the PATH
set -eu

my_cnf=${MY_CNF:-$HOME/.my.cnf}
if [ ! -r "$my_cnf" ]; then
	echo "mysqld/start.sh: cannot read $my_cnf; set MY_CNF to the option file of the exporter's account" >&2
	exit 1
fi
# eventsstatementssum holds the error count of all statements; it is empty
# unless the server runs with performance_schema=ON.
exec "${PROGRAM:-prometheus-mysqld-exporter}" \
	--config.my-cnf="$my_cnf" --web.listen-address="${LISTEN:-127.0.0.1:9104}" \
	--collect.global_status --collect.global_variables \
	--collect.perf_schema.eventsstatementssum \
	--collect.info_schema.innodb_metrics \
	--no-collect.slave_status --no-collect.info_schema.innodb_cmp \
	--no-collect.info_schema.innodb_cmpmem --no-collect.info_schema.query_response_time \
	--log.level=error
