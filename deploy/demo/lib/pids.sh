# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Recorded processes. A record in $DEMO/run/NAME holds a process id and the
# time at which that process started, in ticks since boot: together they name
# one process for good, so that stopping never hits another that has got the
# same id since.

# started prints when a process started; nothing if there is none. The name in
# the second field may hold spaces and brackets, so fields count from its end.
started() {
	sed -n 's/^.*) //p' "/proc/$1/stat" 2>/dev/null | cut -d' ' -f20
}

record() { # NAME PID
	printf '%s %s\n' "$2" "$(started "$2")" >"$DEMO/run/$1"
}

# recorded prints the process id of a part if that very process is alive.
recorded() { # NAME
	local pid ticks
	read -r pid ticks 2>/dev/null <"$DEMO/run/$1" || return 1
	[ -n "$ticks" ] && [ "$(started "$pid")" = "$ticks" ] || return 1
	# A zombie has ended; only its parent has not noticed.
	[ "$(sed -n 's/^.*) //p' "/proc/$pid/stat" 2>/dev/null | cut -c1)" != Z ] || return 1
	echo "$pid"
}

# spawn starts a part in a session of its own and records it.
spawn() { # NAME COMMAND...
	local name=$1
	shift
	setsid "$@" >"$DEMO/log/$name.log" 2>&1 </dev/null 9>&- &
	record "$name" $!
	disown
}

# end asks a part to end, and insists after 15 s. The signal goes to the
# process; the last one to its session's group, which has only its children.
end() { # NAME
	local pid i
	if pid=$(recorded "$1"); then
		kill -TERM "$pid" 2>/dev/null || true
		for ((i = 0; i < 150; i++)); do
			recorded "$1" >/dev/null || break
			sleep 0.1
		done
		if recorded "$1" >/dev/null; then
			say "  $1 (pid $pid) did not end in 15 s and is killed"
			kill -KILL -- "-$pid" 2>/dev/null || true
		fi
	fi
	rm -f "$DEMO/run/$1"
}
