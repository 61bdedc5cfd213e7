# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Waits until there is enough to see, then shows the diagnosis, what the load
# generator measured, and where to look. Sourced by demo.sh.

seconds() { # 30s, 2m -> seconds
	case $1 in
	*m) echo $((${1%m} * 60)) ;;
	*s) echo "${1%s}" ;;
	*) echo "$1" ;;
	esac
}

# figure reads a number of the load generator's summary.
figure() { # FILE KEY
	sed -n "s/^ *\"$2\": \([0-9.e+-]*\),*$/\1/p" "$1" | head -n 1
}

# in_words prints a summary's throughput and response times.
in_words() { # FILE
	awk -v x="$(figure "$1" pages_per_second)" -v m="$(figure "$1" mean_seconds)" \
		-v p="$(figure "$1" p95)" -v e="$(figure "$1" errors)" \
		'BEGIN { printf "%.0f pages/s, response time mean %.0f ms, 95th percentile %.0f ms, %d errors", x, m*1e3, p*1e3, e }'
}

# watch waits and tells every 20 s what goes on.
watch() {
	local total i
	total=$(($(seconds "$RAMP") + WATCH))
	step "watching for $total s: users join for $RAMP, then the full load"
	for ((i = 20; i < total; i += 20)); do
		sleep 20
		recorded load >/dev/null || {
			lines "$DEMO/log/load.log"
			fail "the load generator ended"
		}
		if [ -e "$DEMO/log/load.json" ]; then
			step "$(in_words "$DEMO/log/load.json")"
		fi
	done
	sleep $((total - i + 20))
}

diagnose() {
	"$ROOT/bin/nstartool" diagnose --prometheus "http://127.0.0.1:$PROMETHEUS_PORT" --app bboard --last "${WATCH}s"
}

# compare remembers this run's figures and sets them beside the serial one's.
compare() {
	local collector file
	collector=$(cat "$DEMO/run-collector")
	file=$DEMO/load-$collector.json
	cp "$DEMO/log/load.json" "$file"
	say "With $collector: $(in_words "$file")"
	if [ "$collector" != serial ] && [ -s "$DEMO/load-serial.json" ]; then
		say "With serial before: $(in_words "$DEMO/load-serial.json")"
	fi
}

grafana_address() {
	if recorded grafana >/dev/null; then
		echo "  http://127.0.0.1:$GRAFANA_PORT/d/nstar-bottlenecks   (the whole dashboard, in Grafana)"
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
make demo COLLECTOR=g1 shows the same board without the freezes.
END
}

recorded load >/dev/null || fail "no load is running; start with: make demo"
watch
say ""
diagnose || say "demo: nstartool ended with status $?" >&2
say ""
compare
addresses
