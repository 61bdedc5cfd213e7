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

# calibrate measures how many pages a second the tiers make at most, and how
# long a page takes when hardly anybody is there. Collections are what the demo
# is about and no part of what the tiers can do: their time is taken off.
#
# U users who think for Z make X = U / (Z + R) pages a second (Little's law on
# the whole loop). R is the response time at that load: on a server that is busy
# for a share L of the time it is 1/(1-L) times that of an idle one.
calibrate() {
	local most empty before collecting
	step "measuring for $CALIBRATE what the tiers can do"
	before=$(collections)
	short_load "$FULL_LOAD" 0s "$CALIBRATE"
	collecting=$(awk -v a="$before" -v b="$(collections)" -v d="$(figure "$DEMO/log/load.json" duration_seconds)" \
		'BEGIN { print (d > 0 ? (b - a) / d : 0) }')
	most=$(figure "$DEMO/log/load.json" pages_per_second)
	short_load 4 100ms 3s
	empty=$(figure "$DEMO/log/load.json" p50)
	[ -n "$most" ] && [ -n "$empty" ] || {
		lines "$DEMO/log/load.log"
		fail "the board did not answer the load"
	}
	USERS=$(awk -v x="$most" -v c="$collecting" -v r="$empty" -v l="$LOAD" -v z="$(milliseconds "$THINK")" 'BEGIN {
		l /= 100
		u = l * x / (1 - c) * (z / 1e3 + r / (1 - l))
		print (u < 1 ? 1 : int(u + 0.5)) }')
	step "$(awk -v x="$most" -v c="$collecting" -v r="$empty" -v u="$USERS" -v l="$LOAD" 'BEGIN {
		printf "%.0f pages/s at most, %.0f %% of the time in collections, %.0f ms on idle servers: %d users load them to %d %%",
			x, c * 100, r * 1e3, u, l }')"
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
