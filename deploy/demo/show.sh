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

# remember keeps this run's figures under a name.
remember() { # NAME
	{
		echo "run|$1"
		figures_of_run
		echo "verdict|$(diagnose --output json | verdict_in_words)"
	} >"$DEMO/figures-$1"
}

# compare shows the figures of a run beside those of another that had as many users.
compare() { # NAME [OTHER]
	local mine=$DEMO/figures-$1 before=$DEMO/figures-${2:-$1}
	if [ "$before" != "$mine" ] && [ "$(grep '^users|' "$before" 2>/dev/null)" = "$(grep '^users|' "$mine")" ]; then
		awk -F'|' 'NR == FNR { before[$1] = $2; if (length($2) > width) width = length($2); next }
			{ printf "  %-37s %-*s  %s\n", $1, width, before[$1], $2 }' "$before" "$mine"
	else
		awk -F'|' '{ printf "  %-37s %s\n", $1, $2 }' "$mine"
	fi
}

# verdict watches, and prints the diagnosis.
verdict() {
	watch
	say ""
	diagnose || say "demo: nstartool ended with status $?" >&2
	say ""
}

# next_runs says what to see after this run.
next_runs() {
	case $(cat "$DEMO/run-name") in
	serial) echo "make demo COLLECTOR=g1 shows the same board without the freezes, and the figures of both." ;;
	neighbour) echo "make demo shows the other case: garbage collection stops Tomcat." ;;
	*) echo "make demo CASE=neighbour shows it without, and with, a batch job on Tomcat's processor." ;;
	esac
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
$(next_runs)
END
}

cores >/dev/null
recorded load >/dev/null || fail "no load is running; start with: make demo"
run=$(cat "$DEMO/run-name")
verdict
remember "$run"
if [ "$run" = alone ]; then
	# The load starts again, so that its summary is of this part alone; Nstar knows the tiers by now.
	USERS=$(figure "$DEMO/log/load.json" users)
	end load
	start_neighbour
	start_load
	echo neighbour >"$DEMO/run-name"
	verdict
	run=neighbour
	remember "$run"
fi
say "Over the last $WATCH s:"
case $run in
neighbour) compare neighbour alone ;;
*) compare "$run" serial ;;
esac
addresses
