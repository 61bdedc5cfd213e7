# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Ports that must be free, and parts that must be ready.

# owner prints who listens on a port, as "command (pid N)".
owner() { # PORT
	ss -Hltnp "sport = :$1" | sed -n 's/^.*users:(("\([^"]*\)",pid=\([0-9]*\),.*$/\1 (pid \2)/p' | head -n 1
}

# ports_free names every taken port at once, with its owner.
ports_free() { # NAME=PORT...
	local pair port taken=0
	for pair in "$@"; do
		port=${pair#*=}
		if [ -n "$(ss -Hltn "sport = :$port")" ]; then
			printf 'demo: port %s (for %s) is taken by %s\n' "$port" "${pair%=*}" "$(owner "$port")" >&2
			taken=1
		fi
	done
	[ $taken = 0 ] || fail "free these ports, then run make demo again; the demo has changed nothing"
}

# ready waits until a URL answers and fails early when the part has ended.
ready() { # NAME SECONDS URL
	until_true "$1" "$2" curl -fs -o /dev/null --max-time 5 "$3"
}

# until_true waits until a command succeeds.
until_true() { # NAME SECONDS COMMAND...
	local name=$1 deadline=$((SECONDS + $2)) limit=$2
	shift 2
	until "$@" >/dev/null 2>&1; do
		if ! recorded "$name" >/dev/null; then
			lines "$DEMO/log/$name.log"
			fail "$name ended while starting"
		fi
		if [ $SECONDS -ge $deadline ]; then
			lines "$DEMO/log/$name.log"
			fail "$name was not ready after $limit s"
		fi
		sleep 0.2
	done
}
