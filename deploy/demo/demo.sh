#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# demo.sh start | show | neighbour | servers | stop | status
#
# A three-tier bulletin board under load on this machine, measured by Nstar.
# Everything listens on loopback, lives in .demo/ and is ended by its recorded
# process ids. docs/demo.md says what to see.
set -euo pipefail
umask 022

export ROOT
ROOT=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
set -a
. "$ROOT/deploy/demo/params.sh"
set +a
for file in say pids wait cores; do
	. "$ROOT/deploy/demo/lib/$file.sh"
done
. "$ROOT/deploy/demo/parts.sh"
. "$ROOT/deploy/demo/figures.sh"
. "$ROOT/deploy/demo/shape.sh"
. "$ROOT/deploy/demo/users.sh"

check_machine() {
	[ "$(uname -s)" = Linux ] || fail "this needs Linux"
	[ "$(id -u)" = 0 ] || fail "run this as root: the exporter loads BPF programs, and packages may have to be installed"
	command -v apt-get >/dev/null || fail "this needs Debian or a derivative (apt-get is missing)"
	case $COLLECTOR in serial | g1 | parallel) ;; *) fail "COLLECTOR must be serial, g1 or parallel, not $COLLECTOR" ;; esac
	case $CASE in collections | neighbour) ;; *) fail "CASE must be collections or neighbour, not $CASE" ;; esac
	[ "$LOAD" -ge 1 ] && [ "$LOAD" -lt 100 ] || fail "LOAD is a share of what the tiers can do, 1 to 99 percent, not $LOAD"
	id "$DEMO_USER" >/dev/null 2>&1 || fail "there is no account $DEMO_USER; name another with DEMO_USER=..."
	# A clone under /root is closed to everyone else.
	if ! as_user test -r "$ROOT/deploy/demo/httpd/httpd.conf" 2>/dev/null; then
		say "$DEMO_USER cannot read $ROOT, so the servers run as root (loopback only)."
		DEMO_USER=root
	fi
}

directories() {
	local name
	mkdir -p "$DEMO/run" "$DEMO/log" "$DEMO/bin"
	for name in mariadb tomcat httpd prometheus grafana; do
		mkdir -p "$DEMO/$name"
		# Another account may own what an earlier run left.
		chown -R "$DEMO_USER" "$DEMO/$name"
	done
	mkdir -p "$DEMO/alertmanager"
	rm -f "$DEMO"/log/*
	chown "$DEMO_USER" "$DEMO/log"
	chmod 755 "$DEMO" "$DEMO/log"
}

# On any failure: what was started ends, and nothing is left behind.
give_up() {
	local status=$?
	trap - EXIT INT TERM
	[ $status -ne 0 ] || exit 0
	say "demo: stopping what was started; logs are in $DEMO/log" >&2
	stop_parts
	exit $status
}

# begin makes everything ready; what is started after it ends on any failure.
begin() {
	check_machine
	mkdir -p "$DEMO"
	exec 9>"$DEMO/lock"
	command -v flock >/dev/null && { flock -n 9 || fail "another make demo is starting right now"; }
	mkdir -p "$DEMO/run"
	# First what can fail; a running demo is ended only when the next can start.
	"$ROOT/deploy/demo/install.sh"
	if running >/dev/null; then
		step "a demo is running: stopping it first"
		stop_parts
	fi
	ports_free "${PORTS[@]}"
	directories
	cores
	trap give_up EXIT
	trap 'exit 130' INT TERM
}

start() {
	begin
	start_servers
	warm_up
	size_load
	start_exporters
	start_monitoring
	start_pictures
	start_load
	trap - EXIT INT TERM
	# What the run's figures are kept under.
	case $CASE in
	neighbour) echo alone ;; # until the batch job is added
	*) echo "$COLLECTOR" ;;
	esac >"$DEMO/run-name"
}

# servers starts the board alone and warms it up, for measurements: no users are there, and nobody looks at it.
servers() {
	begin
	start_servers
	warm_up
	trap - EXIT INT TERM
}

# beside adds the batch job to the demo that runs, so that it can be seen coming.
beside() {
	[ "$(id -u)" = 0 ] || fail "run this as root, as make demo was"
	recorded load >/dev/null || fail "no load is running; start with: make demo COLLECTOR=g1"
	! recorded neighbour >/dev/null || fail "the batch job runs already"
	cores >/dev/null
	start_neighbour
}

# running prints the parts that are alive.
running() {
	local name pid some=1
	for name in "${STOP_ORDER[@]}"; do
		if pid=$(recorded "$name"); then
			printf '  %-16s pid %s\n' "$name" "$pid"
			some=0
		fi
	done
	return $some
}

stop() {
	[ "$(id -u)" = 0 ] || fail "run this as root, as make demo was"
	if [ -d "$DEMO/run" ]; then
		stop_parts
	fi
	say "The demo is stopped. Data and logs stay in $DEMO until you delete it."
}

case ${1:-} in
start) start ;;
stop) stop ;;
status) running || say "The demo is not running." ;;
show) . "$ROOT/deploy/demo/show.sh" ;;
neighbour) beside ;;
servers) servers ;;
*)
	echo "usage: demo.sh start|show|neighbour|servers|stop|status" >&2
	exit 2
	;;
esac
