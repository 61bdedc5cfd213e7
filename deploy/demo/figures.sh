# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Figures of a run: what the load generator measured, what processors did as
# node_exporter sees it, and what Nstar saw.

# figure reads a number of the load generator's summary: of the whole run.
figure() { # FILE KEY
	sed -n "s/^ *\"$2\": \([0-9.e+-]*\),*$/\1/p" "$1" | head -n 1
}

# ask prints Prometheus's answer.
ask() { # QUERY
	curl -fsG --max-time 10 "http://127.0.0.1:$PROMETHEUS_PORT/api/v1/query" --data-urlencode "query=$1"
}

# value prints an answer's first number, times FACTOR.
value() { # QUERY FACTOR FORMAT
	ask "$1" | sed -n 's/^.*"value":\[[^"]*"\([^"]*\)"\].*$/\1/p' | awk -v f="$2" -v format="$3" '{ printf format, $1 * f; exit }'
}

# idle prints the seconds in which a processor had nothing to do so far.
idle() { # PROCESSOR
	curl -fs --max-time 5 "http://127.0.0.1:$NODE_PORT/metrics" |
		awk -v start="node_cpu_seconds_total{cpu=\"$1\",mode=\"i" 'index($1, start) == 1 && $1 ~ /"(idle|iowait)"/ { s += $2 } END { print s }'
}

# busy says how busy both processors of the demo were since the last time.
declare -A idle_before
busy() {
	local core now sum out=''
	now=$EPOCHREALTIME
	for core in $(printf '%s\n' "${CORE_OTHERS:-0}" "$CORE_MARIADB" "$CORE_TOMCAT" | grep . | sort -nu); do
		sum=$(idle "$core")
		out+="${out:+ and }$(awk -v t="$now" -v since="${busy_since:-0}" -v i="$sum" -v before="${idle_before[$core]:-0}" \
			'BEGIN { b = 100 * (1 - (i - before) / (t - since)); printf "%.0f %%", b < 0 ? 0 : b }')"
		idle_before[$core]=$sum
	done
	busy_since=$now
	busy_words="processors $out busy"
}

# mean_busy is the same over the time that is diagnosed, as Prometheus has it from node_exporter.
mean_busy() { # PROCESSOR
	value "1 - sum(rate(node_cpu_seconds_total{cpu=\"$1\",mode=~\"idle|iowait\"}[${WATCH}s]))" 100 '%.0f %%'
}

# windows prints the 50 ms windows of a tier that are diagnosed, each with its end and its value.
windows() { # NAME TIER
	samples "$1{app=\"bboard\",tier=\"$2\"}"
}

# samples prints those of a series in the time that is diagnosed, each with its time.
samples() { # SELECTOR
	ask "$1[${WATCH}s]" | grep -oE '\[[0-9.]+,"[^"]*"\]' | tr -d '["]' | tr ',' ' '
}

# longest_stop is the longest run of windows in which Tomcat stood still.
longest_stop() {
	windows nstar_window_state tomcat | awk '
		{ run = $2 == 3 ? run + 1 : 0; if (run > most) most = run }
		END { printf "%d ms", most * 50 }'
}

# frozen is the share of the windows in which Tomcat stood still: the paper's points of interest.
frozen() {
	windows nstar_window_state tomcat | awk '{ n[$2 == 3]++ } END { printf "%.1f %% of the windows", NR ? 100 * n[1] / NR : 0 }'
}

# correlation of Tomcat's own queue with the calls outstanding at MariaDB, by an aggregation over time.
correlation() { # AGGREGATION
	value "$1_over_time(nstar:edge_correlation:pearson12s{app=\"bboard\",from=\"tomcat\",to=\"mariadb\"}[${WATCH}s])" 1 '%.2f'
}

# opposition prints how many requests wait in Tomcat itself, or are in MariaDB,
# on average while Tomcat stands still, and otherwise.
opposition() { # NAME TIER
	awk 'FILENAME != "-" { state[$1] = $2; next }
		$1 in state { stands = state[$1] == 3; n[stands]++; s[stands] += $2 }
		END { printf "%s, %s otherwise", n[1] ? sprintf("%.1f", s[1] / n[1]) : "-", n[0] ? sprintf("%.1f", s[0] / n[0]) : "-" }' \
		<(windows nstar_window_state tomcat) - < <(windows "$1" "$2")
}

# verdict_in_words reads the diagnosis as JSON and prints its verdict, and tier and cause where there are.
verdict_in_words() {
	tr -d ' \n' | sed -n 's/^.*"verdict":"\([a-z_]*\)","bottleneck":\({[^}]*}\|null\).*$/\1 \2/p' |
		sed -e 's/{.*"tier":"\([^"]*\)".*"cause":"\([^"]*\)".*}/(\1, \2)/' -e 's/ null$//' -e 's/_/ /g'
}

# figures_of_run prints them, a name and a value on each line.
figures_of_run() {
	local file=$DEMO/log/load.json
	echo "users|$(figure "$file" users)"
	awk -v x="$(figure "$file" pages_per_second)" 'BEGIN { printf "pages/s|%.0f\n", x }'
	awk -v m="$(figure "$file" mean_seconds)" -v a="$(figure "$file" p50)" -v b="$(figure "$file" p95)" -v c="$(figure "$file" p99)" \
		'BEGIN { printf "response time, mean|%.0f ms\n           median|%.0f ms\n  95th percentile|%.0f ms\n  99th percentile|%.0f ms\n", m*1e3, a*1e3, b*1e3, c*1e3 }'
	echo "errors|$(figure "$file" errors)"
	if [ "$OWN_CORE" = mariadb ]; then
		echo "processor of httpd, Tomcat, load|$(mean_busy "${CORE_OTHERS:-0}") busy"
		[ -z "$CORE_MARIADB" ] || echo "processor of MariaDB|$(mean_busy "$CORE_MARIADB") busy"
	else
		echo "processor of httpd, MariaDB, load|$(mean_busy "${CORE_OTHERS:-0}") busy"
		[ -z "$CORE_TOMCAT" ] || echo "processor of Tomcat|$(mean_busy "$CORE_TOMCAT") busy"
	fi
	echo "longest stop of Tomcat|$(longest_stop)"
	echo "Tomcat stands|$(frozen)"
	echo "waiting in Tomcat while it stands|$(opposition nstar_window_own_queue_length tomcat)"
	echo "in MariaDB while Tomcat stands|$(opposition nstar_window_queue_length mariadb)"
	echo "share of the time in collections|$(value "avg_over_time(nstar_window_gc_ratio{app=\"bboard\",tier=\"tomcat\"}[${WATCH}s])" 100 '%.1f %%')"
	echo "correlation of Tomcat and MariaDB|$(correlation avg), $(correlation min) at least"
	echo "longer queue changes sides, a minute|$(value "rate(nstar_edge_turns_total{app=\"bboard\",from=\"tomcat\",to=\"mariadb\"}[${WATCH}s])" 60 '%.0f')"
	echo "who had processors that Tomcat needed|$(takers)"
	bursts
	histogram
	echo "dispersion of the calls to MariaDB|$(dispersion)"
}
