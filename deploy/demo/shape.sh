# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# The shape of a run: how long the queue in MariaDB was and how often, how bursty the calls to it were, and what the
# batch job had to do with it. Expects the functions of figures.sh and the parameters.

# histogram prints in what share of the windows so many requests were in MariaDB, a line each, as the paper's figure 13.
# Requests that a stop of the tier before held back come at once: a long tail, or a second hump.
histogram() {
	windows nstar_window_queue_length mariadb | awk '
		{ b = $2 < 1 ? 0 : 1 + int(log($2) / log(2) + 1e-9); n[b > 6 ? 6 : b]++ }
		END {
			split("below 1,1 to 2,2 to 4,4 to 8,8 to 16,16 to 32,32 and more", name, ",")
			for (b = 0; NR > 0 && b <= 6; b++) printf "in MariaDB %s|%.1f %% of the windows\n", name[b + 1], 100 * n[b] / NR
		}'
}

# dispersion prints the index of dispersion of the calls to MariaDB, the variance of their number over its mean, in
# windows and in longer spans: 1 where calls come independently of each other. Mi and others ("Injecting realistic
# burstiness to a traditional client-server benchmark") call the limit for long spans I; the users of a closed loop wait
# for what was held back, so that it is highest about as long as a stop.
dispersion() {
	samples 'nstar_window_edge_calls{app="bboard",from="tomcat",to="mariadb"}' | awk '
		BEGIN { spans = split("1 10 40", span, " ") }
		{
			window = int($1 * 20 + 0.5)
			for (i = 1; i <= spans; i++) {
				block = sprintf("%d %.0f", i, int(window / span[i])) # awk writes large numbers short
				calls[block] += $2 * 0.05
				if (++have[block] == span[i]) { n[i]++; sum[i] += calls[block]; squares[i] += calls[block] ^ 2 }
			}
		}
		END {
			for (i = 1; i <= spans; i++) {
				mean = n[i] ? sum[i] / n[i] : 0
				I = n[i] > 1 && mean ? sprintf("%.1f", (squares[i] - n[i] * mean ^ 2) / (n[i] - 1) / mean) : "-"
				printf "%s%s in %.2g s", (i > 1 ? ", " : ""), I, span[i] / 20
			}
		}'
}

# takers prints who had processors for which Tomcat waited, in seconds a second.
takers() {
	ask "topk(3, sum by (neighbour) (rate(nstar_tier_neighbour_seconds_total{app=\"bboard\",tier=\"tomcat\",own_application=\"false\"}[${WATCH}s])) > 0.001)" |
		grep -oE '"neighbour":"[^"]*"},"value":\[[0-9.]+,"[0-9.e+-]+"' | sed -E 's/^"neighbour":"([^"]*)".*"([^"]*)"$/\1 \2/' |
		awk '{ printf "%s%s %.2f", (NR > 1 ? ", " : ""), $1, $2 } END { if (NR == 0) printf "nobody" }'
}

# bursts holds the windows of Tomcat against the batch job's own account of when it computed, a line each.
bursts() {
	[ -s "$DEMO/log/neighbour.log" ] || return 0
	windows nstar_window_own_queue_length tomcat | awk '
		FILENAME != "-" { begin[++jobs] = $1; end[jobs] = $2; next }
		{
			share = 0
			for (j = 1; j <= jobs; j++) {
				from = begin[j] > $1 - 0.05 ? begin[j] : $1 - 0.05
				to = end[j] < $1 ? end[j] : $1
				if (to > from) share += (to - from) / 0.05
			}
			if (!n++) first = $1
			last = $1
			x += share; y += $2; xx += share ^ 2; yy += $2 ^ 2; xy += share * $2
			in_burst = share > 0.5; windows[in_burst]++; queue[in_burst] += $2
		}
		END {
			if (n < 2) exit
			for (j = 1; j <= jobs; j++) if (begin[j] > first && end[j] < last) { whole++; long += end[j] - begin[j] }
			if (whole) printf "bursts of nightly|%d of %.0f ms, %.0f %% of the time\n", whole, 1e3 * long / whole, 100 * x / n
			printf "waiting in Tomcat in bursts|%s, %s otherwise\n", mean(1), mean(0)
			spread = (n * xx - x ^ 2) * (n * yy - y ^ 2)
			printf "correlation with the bursts|%s\n", (spread > 0 ? sprintf("%.2f", (n * xy - x * y) / sqrt(spread)) : "-")
		}
		function mean(k) { return windows[k] ? sprintf("%.1f", queue[k] / windows[k]) : "-" }' \
		"$DEMO/log/neighbour.log" -
}
