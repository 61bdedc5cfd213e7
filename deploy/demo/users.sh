# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# How many users there are: as many as make LOAD percent of what the tiers can
# do on this machine, with whatever else it does. A fixed number would be a
# yawn on a fast machine and an overload on a slow one.

# Users without a think time that keep all tiers busy: several for each processor and each step of a page.
FULL_LOAD=64

# short_load runs a load to its end.
short_load() { # USERS THINK DURATION
	USERS=$1 THINK=$2 DURATION=$3 RAMP=0s LULL_EVERY=0s BURSTINESS=1 run_load
	while recorded load >/dev/null; do
		sleep 0.2
	done
	end load
}

# A cold Java server is slower until its compiler has seen what is called often.
# What is measured shall be the server, so this comes before the measuring.
warm_up() {
	[ "$WARMUP" != 0s ] || return 0
	step "warming up for $WARMUP"
	short_load "$FULL_LOAD" 0s "$WARMUP"
}

# size_load sets USERS. What the serial collector's run has measured holds for
# the run with another collector after it: the same users, to compare with.
size_load() {
	local sized=$DEMO/sized
	[ -z "$USERS" ] || return 0
	if [ "$COLLECTOR" != serial ] && [ -n "$(find "$sized" -mmin -60 2>/dev/null)" ] && same_load "$sized"; then
		read -r USERS _ <"$sized"
		step "the same $USERS users as before"
		return 0
	fi
	calibrate
	printf '%s %s %s %s\n' "$USERS" "$THINK" "$LOAD" "$POOL" >"$sized"
}

same_load() { # FILE
	local users think load pool
	read -r users think load pool <"$1" && [ "$think $load $pool" = "$THINK $LOAD $POOL" ]
}

# calibrate measures how long a page takes when hardly anybody is there, and how
# much processor time it takes where most of it is taken. The latter first under
# full load, then with the users that follow from it: servers with less to do at
# once take more for each page.
calibrate() {
	local empty
	step "measuring for $CALIBRATE what a page needs"
	short_load 4 100ms 3s
	empty=$(figure "$DEMO/log/load.json" p50)
	processor_time "$FULL_LOAD" 0s
	USERS=$(users_for "$need" "$empty")
	processor_time "$USERS" "$THINK"
	USERS=$(users_for "$need" "$empty")
	step "$(awk -v d="$need" -v r="$empty" -v u="$USERS" -v l="$LOAD" 'BEGIN {
		printf "a page needs %.1f ms of a processor and takes %.0f ms on idle servers: %d users make %d %% of %.0f pages/s",
			d * 1e3, r * 1e3, u, l, 1 / d }')"
}

# users_for prints how many users load the busiest processor to LOAD percent.
#
# A processor that a page needs for D seconds is busy for a share L of the time
# at X = L / D pages a second (the utilization law). U users who think for Z make
# X = U / (Z + R) (Little's law on the whole loop). R is the response time at
# that load: on a server that is busy for a share L of the time it is 1/(1-L)
# times that of an idle one.
users_for() { # D R-WHEN-IDLE
	awk -v d="$1" -v r="$2" -v l="$LOAD" -v z="$(milliseconds "$THINK")" 'BEGIN {
		l /= 100
		u = l / d * (z / 1e3 + r / (1 - l))
		print (u < 1 ? 1 : int(u + 0.5)) }'
}

# processor_time sets need to the processor seconds of a page, on the processor where a page takes most.
processor_time() { # USERS THINK
	local before
	before=$(busy_times)
	short_load "$1" "$2" "$CALIBRATE"
	need=$(awk -v pages="$(figure "$DEMO/log/load.json" completions)" '
		NR == FNR { before[$1] = $2; next }
		{ s = $2 - before[$1]; if (s > most) most = s }
		END { if (pages > 0) print most / pages }' <(printf '%s\n' "$before") <(busy_times))
	[ -n "$need" ] || {
		lines "$DEMO/log/load.log"
		fail "the board did not answer the load"
	}
}

# busy_times prints for how long each processor of the demo has been busy so far, in seconds. Collections are what the
# demo is about and no part of what a page needs: their time is taken off.
busy_times() {
	local core
	for core in $(printf 'cpu%s\n' "$CORE_OTHERS" "$CORE_MARIADB" "$CORE_TOMCAT" | sort -u); do
		awk -v core="$core" -v tick="$(getconf CLK_TCK)" -v c="$([ "$core" != "cpu$CORE_TOMCAT" ] || collections)" \
			'$1 == core { print core, ($2 + $3 + $4 + $7 + $8 + $9) / tick - c }' /proc/stat
	done
}

# collections prints the seconds for which they have stopped Tomcat so far.
collections() {
	awk '/ Pause / { sub("ms$", "", $NF); s += $NF } END { print s / 1e3 }' "$DEMO/log/gc.log"
}

milliseconds() { # 300ms, 2s -> milliseconds
	case $1 in
	*ms) echo "${1%ms}" ;;
	*s) echo $((${1%s} * 1000)) ;;
	*) fail "a think time is given in ms or s, not as $1" ;;
	esac
}
