# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# The parts of the demo, in the order in which they start, and how each is
# known to be ready. Expects the functions of lib/ and the parameters.

# Stopped in this order: first who asks, then who answers.
STOP_ORDER=(neighbour load grafana page prometheus alertmanager apache_exporter mysqld_exporter node_exporter nstar_exporter httpd tomcat mariadb)

PORTS=(httpd="$HTTPD_PORT" tomcat="$AJP_PORT" jmx_exporter="$JMX_PORT" mariadb="$MARIADB_PORT"
	nstar_exporter="$NSTAR_PORT" node_exporter="$NODE_PORT" mysqld_exporter="$MYSQLD_PORT"
	apache_exporter="$APACHE_PORT" prometheus="$PROMETHEUS_PORT" alertmanager="$ALERTMANAGER_PORT"
	page="$PAGE_PORT")

# as_user runs a command as the unprivileged account.
as_user() {
	setpriv --reuid "$DEMO_USER" --regid "$(id -g "$DEMO_USER")" --clear-groups "$@"
}

# part starts NAME from SCRIPT on CORE, as USER or root.
part() { # NAME USER CORE SCRIPT
	local command=("$4")
	if [ "$2" != root ]; then
		command=(setpriv --reuid "$2" --regid "$(id -g "$2")" --clear-groups "${command[@]}")
	fi
	if [ -n "$3" ]; then
		command=(taskset -c "$3" "${command[@]}")
	fi
	spawn "$1" "${command[@]}"
}

start_servers() {
	local here=$ROOT/deploy/demo
	step "MariaDB"
	as_user "$here/mariadb/prepare.sh" data
	part mariadb "$DEMO_USER" "$CORE_MARIADB" "$here/mariadb/start.sh"
	until_true mariadb 60 as_user mariadb --no-defaults --user="$DEMO_USER" --socket="$DEMO/mariadb/socket" -e "SELECT 1"
	as_user "$here/mariadb/prepare.sh" load

	step "Tomcat with the $COLLECTOR collector"
	as_user "$here/tomcat/prepare.sh"
	part tomcat "$DEMO_USER" "$CORE_TOMCAT" "$here/tomcat/start.sh"
	part httpd "$DEMO_USER" "$CORE_OTHERS" "$here/httpd/start.sh"
	ready httpd 20 "http://127.0.0.1:$HTTPD_PORT/server-status?auto"
	until_true tomcat 60 curl -fs --max-time 5 -o /dev/null "http://127.0.0.1:$HTTPD_PORT/StoriesOfTheDay"
}

run_load() { part load "$DEMO_USER" "$CORE_OTHERS" "$ROOT/deploy/demo/load/start.sh"; }

start_exporters() {
	local exporters=$ROOT/exporters
	step "exporters"
	part nstar_exporter root "" "$ROOT/deploy/demo/nstar/start.sh"
	LISTEN=127.0.0.1:$NODE_PORT PROGRAM=$DEBIAN/usr/bin/prometheus-node-exporter \
		part node_exporter "$DEMO_USER" "" "$exporters/node/start.sh"
	LISTEN=127.0.0.1:$MYSQLD_PORT PROGRAM=$DEBIAN/usr/bin/prometheus-mysqld-exporter MY_CNF=$DEMO/mariadb/exporter.cnf \
		part mysqld_exporter "$DEMO_USER" "" "$exporters/mysqld/start.sh"
	LISTEN=127.0.0.1:$APACHE_PORT PROGRAM=$DEBIAN/usr/bin/prometheus-apache-exporter \
		STATUS="http://127.0.0.1:$HTTPD_PORT/server-status?auto" \
		part apache_exporter "$DEMO_USER" "" "$exporters/apache/start.sh"
	ready nstar_exporter 20 "http://127.0.0.1:$NSTAR_PORT/metrics"
	ready node_exporter 20 "http://127.0.0.1:$NODE_PORT/metrics"
	ready mysqld_exporter 20 "http://127.0.0.1:$MYSQLD_PORT/metrics"
	ready apache_exporter 20 "http://127.0.0.1:$APACHE_PORT/metrics"
	ready tomcat 20 "http://127.0.0.1:$JMX_PORT/metrics"
}

start_monitoring() {
	step "Prometheus and Alertmanager"
	part alertmanager root "" "$ROOT/deploy/demo/alertmanager/start.sh"
	part prometheus "$DEMO_USER" "" "$ROOT/deploy/demo/prometheus/start.sh"
	ready prometheus 30 "http://127.0.0.1:$PROMETHEUS_PORT/-/ready"
	ready alertmanager 30 "http://127.0.0.1:$ALERTMANAGER_PORT/-/ready"
}

# grafana_home prints where a Grafana is installed, if one is.
grafana_home() {
	"$ROOT/deploy/grafana/grafana.sh" --find 2>/dev/null
}

start_pictures() {
	step "the page"
	part page "$DEMO_USER" "" "$ROOT/deploy/demo/page/start.sh"
	ready page 20 "http://127.0.0.1:$PAGE_PORT/"
	if grafana_home >/dev/null; then
		step "Grafana from $(grafana_home)"
		part grafana "$DEMO_USER" "" "$ROOT/deploy/demo/grafana/start.sh"
		ready grafana 120 "http://127.0.0.1:$GRAFANA_PORT/api/health"
	fi
}

start_load() {
	step "load: $USERS users, think time $THINK, for $DURATION"
	run_load
}

# start_neighbour starts what hurts Tomcat from outside.
start_neighbour() {
	step "the batch job nightly beside Tomcat: bursts of $BURST ms, pauses of $PAUSE ms"
	part neighbour root "$CORE_TOMCAT" "$ROOT/deploy/demo/neighbour/start.sh"
}

stop_parts() {
	local name
	for name in "${STOP_ORDER[@]}"; do
		[ ! -e "$DEMO/run/$name" ] || end "$name"
	done
}
