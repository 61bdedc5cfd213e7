# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Waits until there is enough to see, then shows the diagnosis, the figures of
# the run, and where to look. Sourced by demo.sh.

seconds() { # 30s, 2m -> seconds
	case $1 in
	*m) echo $((${1%m} * 60)) ;;
	*s) echo "${1%s}" ;;
	*) echo "$1" ;;
	esac
}

# watch waits, and tells what each interval of the load came to, as soon as the load generator says it.
watch() {
	local end told=0 lines
	end=$((SECONDS + $(seconds "$RAMP") + WATCH))
	step "watching for $((end - SECONDS)) s: users join for $RAMP, then all are there"
	busy
	while [ $SECONDS -lt $end ]; do
		sleep 1
		recorded load >/dev/null || {
			lines "$DEMO/log/load.log"
			fail "the load generator ended"
		}
		lines=$(grep -c 'pages/s' "$DEMO/log/load.log") || true # none yet is an error to grep
		if [ "$lines" -gt "$told" ]; then
			told=$lines
			busy
			step "$(sed -n 's/^[0-9:]* \(.*pages.*\)$/\1/p' "$DEMO/log/load.log" | tail -n 1); $busy_words"
		fi
	done
}

diagnose() {
	"$ROOT/bin/nstartool" diagnose --prometheus "http://127.0.0.1:$PROMETHEUS_PORT" --app bboard --last "${WATCH}s" "$@"
}

# compare remembers this run's figures and sets them beside those of the serial
# collector, if that had as many users.
compare() {
	local collector mine serial=$DEMO/figures-serial
	collector=$(cat "$DEMO/run-collector")
	mine=$DEMO/figures-$collector
	{
		echo "collector|$collector"
		figures_of_run
		echo "verdict|$(diagnose --output json | verdict_in_words)"
	} >"$mine"
	if [ "$collector" != serial ] && [ "$(grep '^users|' "$serial" 2>/dev/null)" = "$(grep '^users|' "$mine")" ]; then
		awk -F'|' 'NR == FNR { before[$1] = $2; if (length($2) > width) width = length($2); next }
			{ printf "  %-36s %-*s  %s\n", $1, width, before[$1], $2 }' "$serial" "$mine"
	else
		awk -F'|' '{ printf "  %-36s %s\n", $1, $2 }' "$mine"
	fi
}

grafana_address() {
	if recorded grafana >/dev/null; then
		echo "  http://127.0.0.1:$GRAFANA_PORT/d/nstar-bottlenecks   (the whole dashboard, in Grafana; /d/nstar-capacity: the headroom)"
	else
		echo "  (The whole dashboard is there too where a Grafana is installed; docs/grafana.md.)"
	fi
}

addresses() {
	cat <<END

See the tiers take turns
  http://127.0.0.1:$PAGE_PORT/
$(grafana_address)

Look at
  Prometheus     http://127.0.0.1:$PROMETHEUS_PORT/classic/graph   (with PROMETHEUS=3: the API only)
  Alertmanager   http://127.0.0.1:$ALERTMANAGER_PORT/api/v2/alerts
  nstar_exporter http://127.0.0.1:$NSTAR_PORT/metrics  and  /windows
  the board      http://127.0.0.1:$HTTPD_PORT/StoriesOfTheDay
and ask again at any time:
  bin/nstartool diagnose --prometheus http://127.0.0.1:$PROMETHEUS_PORT --app bboard
The load goes on for $DURATION from its start. make demo-stop ends everything.
make demo COLLECTOR=g1 shows the same board without the freezes, and the figures of both.
END
}

cores >/dev/null
recorded load >/dev/null || fail "no load is running; start with: make demo"
watch
say ""
diagnose || say "demo: nstartool ended with status $?" >&2
say ""
say "Over the last $WATCH s:"
compare
addresses
