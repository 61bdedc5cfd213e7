#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# smoke.sh starts the demo with the serial collector and again with G1, there
# at the end with a batch job on Tomcat's processor, and checks what it
# promises: every exporter's key metrics, the recorded series, the diagnosis,
# the alert, the page, every query of the dashboard, the page in Chromium, and
# that nothing is left afterwards. The load is sized by the demo itself, so
# that it holds on any machine. About 7 minutes; the whole test is bounded by
# LIMIT.
set -uo pipefail

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
demo=$root/deploy/demo/demo.sh
ROOT=$root WATCH=60
. "$root/deploy/demo/params.sh"
. "$root/deploy/demo/figures.sh"
LIMIT=${LIMIT:-1200}
passed=0 failed=0
answer=$(mktemp)

# Whatever happens, nothing of ours stays behind.
cleanup() {
	[ -z "${watchdog:-}" ] || kill "$watchdog" 2>/dev/null
	rm -f "$answer"
	"$demo" stop >/dev/null 2>&1
}
trap cleanup EXIT
trap 'exit 1' TERM INT
# The sleep must not outlive the watchdog: it would hold the caller's pipe open.
(
	sleep "$LIMIT" >/dev/null 2>&1 &
	nap=$!
	trap 'kill "$nap" 2>/dev/null; exit' TERM
	wait "$nap" && echo "FAIL smoke: not done after $LIMIT s" && kill -TERM $$
) 9>&- &
watchdog=$!

verdict() { # NAME STATUS [DETAIL]
	if [ "$2" = 0 ]; then
		passed=$((passed + 1))
		echo "PASS $1"
	else
		failed=$((failed + 1))
		echo "FAIL $1: ${3:-}"
	fi
}

# absent fetches a page and prints the families of which it holds no sample.
absent() { # URL FAMILY...
	local family
	curl -fs --max-time 10 "$1" >"$answer" || echo "the page itself"
	shift
	for family in "$@"; do
		grep -qE "^$family(\{| )" "$answer" || echo "$family"
	done
}

complete() { [ -z "$(absent "$@")" ]; }

# metrics checks that a page holds them all, soon after the start.
metrics() { # NAME URL FAMILY...
	local name=$1
	shift
	eventually 20 complete "$@"
	verdict "$name" $? "missing: $(absent "$@" | tr '\n' ' ')"
}

# query runs an instant query and succeeds when it has a result.
query() {
	curl -fsG --max-time 10 http://127.0.0.1:19090/api/v1/query --data-urlencode "query=$1" >"$answer" &&
		! grep -q '"result":\[\]' "$answer"
}

# eventually repeats a check for some seconds.
eventually() { # SECONDS COMMAND...
	local deadline=$((SECONDS + $1))
	shift
	until "$@"; do
		[ $SECONDS -lt $deadline ] || return 1
		sleep 3
	done
}

# diagnosis prints the verdict and, where there are, the tier to blame and the cause.
diagnosis() {
	"$root/bin/nstartool" diagnose --prometheus http://127.0.0.1:19090 --app bboard --last 60s --output json >"$answer" 2>&1
	verdict_in_words <"$answer"
}

says() { # REGULAR-EXPRESSION
	[[ $(diagnosis) =~ $1 ]]
}

# alerts prints the names of the alerts that Alertmanager has for the board.
alerts() {
	curl -fsG --max-time 10 http://127.0.0.1:19093/api/v2/alerts --data-urlencode 'filter=app="bboard"' |
		grep -oE '"alertname":"[A-Za-z]*"' | cut -d'"' -f4 | tr '\n' ' '
}

alerted() { [ "$(alerts)" = 'NstarBottleneck ' ]; }

# heard prints what Alertmanager and Prometheus have of the alert, and the verdicts that it counts.
heard() {
	echo "Alertmanager: $(alerts)"
	query 'ALERTS{app="bboard"} or count_over_time(nstar:app_verdict{app="bboard"}[2m])'
	cat "$answer"
}

# busy_machine reports whether a processor had hardly anything left, so that nobody could be healthy.
busy_machine() {
	query 'max(1 - sum by (cpu) (rate(node_cpu_seconds_total{mode=~"idle|iowait"}[1m]))) > 0.9'
}

exporters() {
	metrics "nstar_exporter /metrics" http://127.0.0.1:19965/metrics nstar_build_info nstar_window_width_seconds \
		nstar_tier_arrivals_total nstar_tier_completions_total nstar_tier_load_windows_total nstar_edge_calls_total
	metrics "nstar_exporter /windows" http://127.0.0.1:19965/windows nstar_window_queue_length nstar_window_throughput \
		nstar_window_gc_ratio
	# Two that depend on how the kernel was built.
	local kernel=()
	[ ! -e /proc/schedstat ] || kernel+=(node_schedstat_waiting_seconds_total)
	[ ! -e /proc/pressure/cpu ] || kernel+=(node_pressure_cpu_waiting_seconds_total)
	metrics "node_exporter" http://127.0.0.1:19100/metrics node_cpu_seconds_total node_procs_running \
		node_netstat_TcpExt_ListenOverflows node_load1 "${kernel[@]}"
	metrics "mysqld_exporter" http://127.0.0.1:19104/metrics mysql_global_status_threads_running \
		mysql_global_status_questions mysql_perf_schema_events_statements_sum_errors mysql_up
	metrics "apache_exporter" http://127.0.0.1:19117/metrics apache_up apache_workers apache_accesses_total
	metrics "jmx_exporter" http://127.0.0.1:19404/metrics tomcat_threadpool_currentthreadsbusy tomcat_threadpool_maxthreads \
		tomcat_requests_requestcount_total tomcat_requests_errorcount_total tomcat_sessions_activesessions \
		tomcat_jdbc_pool_maxactive jvm_gc_collection_seconds_count jvm_memory_pool_used_bytes
	local job
	for job in nstar nstar_windows node mysqld apache jmx prometheus; do
		eventually 45 query "up{job=\"$job\"} == 1"
		verdict "Prometheus scrapes $job" $? "$(cat "$answer")"
	done
}

series() {
	local name
	# Main sequences are recorded once a minute.
	for name in nstar:app_verdict nstar:app_response_time:seconds nstar:app_excess_time:seconds \
		nstar:tier_state_share:ratio10s nstar:edge_correlation:pearson12s nstar:tier_own_load_throughput:requests_per_second15m; do
		eventually 130 query "$name{app=\"bboard\"}"
		verdict "recorded $name" $? "no sample"
	done
	query 'count by (app) (nstar:app_verdict{app="bboard"}) == 1'
	verdict "there is one verdict" $? "$(cat "$answer")"
	# One of each standard exporter, by the labels of its target.
	eventually 60 query 'count({__name__=~"nstar:indicator:.*",app="bboard",metric=~"apache_requests|tomcat_threads_busy|mysql_queries|node_cpu"}) == 4'
	verdict "the standard exporters give indicators" $? "$(cat "$answer")"
	# Of the step before: the dashboard asks at the last full one.
	eventually 60 query 'count by (app) (nstar:app_capacity_state{app="bboard"} offset 20s) == 1'
	verdict "there is one state of capacity" $? "$(cat "$answer")"
}

# opposed checks that while Tomcat stands still requests pile up in it and MariaDB has fewer than otherwise.
opposed() {
	local tomcat mariadb
	tomcat=$(opposition nstar_window_own_queue_length tomcat)
	mariadb=$(opposition nstar_window_queue_length mariadb)
	awk -v t="$tomcat" -v m="$mariadb" 'BEGIN { split(t, a, " "); split(m, b, " "); exit !(a[1] + 0 > a[2] + 0 && b[1] != "-," && b[1] + 0 < b[2] + 0) }'
	verdict "serial: while Tomcat stands requests wait in it, and MariaDB has few" $? "Tomcat $tomcat; MariaDB $mariadb"
}

# pictures checks what is drawn from the data of the run so far.
pictures() {
	local to
	to=$(($(date +%s) - 5)) # windows and rules of the last seconds are still on their way
	curl -fs --max-time 10 http://127.0.0.1:19966/ | grep -q Bottlenecks
	verdict "the page is served" $? "no page at http://127.0.0.1:19966/"
	curl -fsG --max-time 10 http://127.0.0.1:19966/api/v1/query --data-urlencode 'query=nstar_window_queue_length{app="bboard"}' |
		grep -q '"tier":"tomcat"'
	verdict "the page reaches Prometheus" $? "no answer through http://127.0.0.1:19966/api/v1/query"
	(cd "$root" && PATH="$root/.cache/go/bin:$PATH" go run ./dashboards/answered --prometheus http://127.0.0.1:19090 --app bboard)
	verdict "every query of the dashboard is answered" $? "see above"
	# That it draws this run; everything else is tested on the recorded minute (make test-browser).
	make -C "$root" --no-print-directory panel page && "$root/tools/apt.sh" chromium fonts-inter &&
		(cd "$root/grafana-plugin" && PROMETHEUS=http://127.0.0.1:19090 FROM=$((to - 60)) TO=$to \
			PATH="$root/.cache/node/bin:$PATH" node --test --test-concurrency=1 --test-reporter=./browser/reporter.mjs \
			browser/page.test.mjs)
	verdict "the page in Chromium" $? "see above"
}

gone() {
	local left
	"$demo" stop >/dev/null
	left=$(ss -Hltn | grep -cE '127\.0\.0\.1:(18080|18009|13306|19965|19100|19104|19117|19404|19090|19093|19966|13000) ')
	verdict "ports free after demo-stop ($1)" "$left" "$left of the demo's ports are still open"
	left=$("$demo" status)
	verdict "no process left ($1)" "$([ "$left" = "The demo is not running." ]; echo $?)" "$left"
}

# RUNS=g1 leaves the other run out.
wanted() { [[ " ${RUNS:-serial g1} " = *" $1 "* ]]; } # COLLECTOR

start() { # COLLECTOR
	COLLECTOR=$1 DURATION=15m RAMP=10s "$demo" start
	local status=$?
	verdict "demo starts ($1)" $status "see above"
	return $status
}

if wanted serial && start serial; then
	exporters
	eventually 120 says '^(single|alternating) bottleneck \(tomcat, garbage collection\)$'
	verdict "serial: collections in Tomcat are the bottleneck" $? "$(diagnosis)"
	series
	opposed
	pictures
	# A verdict has to hold for a minute and a half before anybody is woken.
	eventually 120 alerted
	verdict "serial: one alert, NstarBottleneck, reaches Alertmanager" $? "$(heard)"
fi
! wanted serial || gone serial

if wanted g1 && start g1; then
	eventually 120 says '^healthy$'
	healthy=$?
	# Longer than the alert takes where there is reason for one.
	sleep 60
	found=$(diagnosis)
	if [ $healthy = 0 ] || ! busy_machine; then
		verdict "g1: healthy" $healthy "$found"
		verdict "g1: no alert" "$([ -z "$(alerts)" ]; echo $?)" "$(alerts)"
	else
		echo "SKIP g1: healthy: other work keeps the processors busy, and it is said: $found"
	fi
	[[ $found != *garbage* ]]
	verdict "g1: collections are not blamed" $? "$found"
	# The paper's second case, added to the demo that runs: who takes Tomcat's processor is named.
	if [ $healthy = 0 ]; then
		"$demo" neighbour
		eventually 90 says '^(single|alternating) bottleneck \(tomcat, noisy neighbour\)$'
		verdict "neighbour: others on Tomcat's processor are the bottleneck" $? "$(diagnosis)"
		tr -d ' ' <"$answer" | grep -q '"name":"nightly"'
		verdict "neighbour: it is named" $? "$(cat "$answer")"
	else
		echo "SKIP neighbour: other work is one already"
	fi
fi
! wanted g1 || gone g1

echo "$passed checks passed, $failed failed"
[ "$failed" = 0 ]
