# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
#
# What the checks of all systems share: processes that end with the script, jars, scrapes.

pids=()

# start NAME COMMAND... runs a program in the background; its output is in $work/NAME.log.
start() {
	local name=$1
	shift
	"$@" >"$work/$name.log" 2>&1 9>&- &
	pids+=($!)
}

# stop ends what start began, the last first.
stop() {
	local i
	for ((i = ${#pids[@]} - 1; i >= 0; i--)); do
		kill "${pids[i]}" 2>/dev/null || continue
		local end=$((SECONDS + 15))
		while kill -0 "${pids[i]}" 2>/dev/null && [ "$SECONDS" -lt "$end" ]; do sleep 0.2; done
		kill -KILL "${pids[i]}" 2>/dev/null || true
		wait "${pids[i]}" 2>/dev/null || true
	done
	pids=()
}

fail() {
	echo "check-exporters: $*" >&2
	exit 1
}

# await SECONDS COMMAND... until it succeeds.
await() {
	local seconds=$1 end=$((SECONDS + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$end" ] || fail "$* did not succeed within $seconds s; see $work"
		sleep 1
	done
}

# jars NAME has Maven fetch what NAME.xml beside this file names, and prints the class path.
jars() {
	local dir=$cache/jars/$1
	if [ ! -d "$dir" ]; then
		command -v mvn >/dev/null || fail "Maven is missing (apt-get install maven)"
		mvn -q -B -f "$here/$1.xml" dependency:copy-dependencies -DoutputDirectory="$dir.new" >&2 ||
			fail "Maven could not fetch $1"
		mv "$dir.new" "$dir"
	fi
	echo "$dir/*"
}

# agent PORT CONFIG prints the option that adds jmx_exporter to a JVM.
agent() { LISTEN=127.0.0.1:$1 CONFIG=$exporters/$2 JAR_DIR=$root/.cache/jmx "$exporters/jmx/start.sh"; }

# before and after NAME URL scrape an exporter.
before() { curl -fsS --max-time 30 "$2" >"$work/$1.before" || fail "no answer from $1 at $2"; }
after() { curl -fsS --max-time 30 "$2" >"$work/$1.after" || fail "no answer from $1 at $2"; }

# judge NAME LIST holds the scrapes against a list; with RECORD=yes the recorded one is written anew.
judge() {
	local record=()
	[ "${RECORD:-}" != yes ] || record=(-record "${exporters}/${2%series.txt}recorded.txt")
	echo "== $1"
	(cd "$root" && go run ./exporters/check/scrapes "${record[@]}" "exporters/$2" "$work/$1.before" "$work/$1.after") ||
		failed=yes
}
