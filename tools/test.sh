#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# test.sh [SUITE...] runs the test suites, all by default, and ends with one line of counts. The output of each suite is
# shown as it comes and kept in .cache/test/.
set -uo pipefail

cd "$(dirname "$0")/.."
logs=.cache/test
mkdir -p "$logs"
passed=0 failed=0 skipped=0 broken=()

# A suite's cases are the lines that Go tests, Jest, promtool and our own checks print for them; one without any counts
# as one case.
count() { grep -cE "$1" "$2" || true; }

run() {
	local name=$1 log="$logs/$1.log" code start=$SECONDS p f
	shift
	printf '\n== %s\n' "$name"
	"$@" 2>&1 | tee "$log"
	code=${PIPESTATUS[0]}
	p=$(count '^ *--- PASS|^ *PASS .|^ *SUCCESS|^ *✓ ' "$log")
	f=$(count '^ *--- FAIL|^ *FAIL:? .*[^]]$|^ *FAILED:|^ *✕ ' "$log")
	skipped=$((skipped + $(count '^ *--- SKIP|^SKIP .|^ *○ ' "$log")))
	if [ "$code" -ne 0 ]; then
		broken+=("$name")
		[ "$f" -gt 0 ] || f=1
	elif [ "$p" -eq 0 ]; then
		p=1
	fi
	passed=$((passed + p)) failed=$((failed + f))
	printf '== %s: %s after %d s\n' "$name" "$([ "$code" -eq 0 ] && echo ok || echo FAILED)" $((SECONDS - start))
}

suites=("$@")
# The rules bring the Prometheus servers that some Go tests use.
all=(setup generated rules learning dashboards panel browser go kernels demo)
[ $# -gt 0 ] || suites=("${all[@]}")
for suite in "${suites[@]}"; do
	case $suite in
	setup) run setup make --no-print-directory test-setup ;;
	generated) run generated make --no-print-directory check-generated ;;
	go) run go make --no-print-directory test-go ;;
	kernels) run kernels make --no-print-directory test-kernels ;;
	rules) run rules make --no-print-directory test-rules ;;
	learning) run learning make --no-print-directory check-learning ;;
	dashboards) run dashboards make --no-print-directory check-dashboards ;;
	panel) run panel make --no-print-directory test-panel ;;
	browser) run browser make --no-print-directory test-browser ;;
	demo) run demo make --no-print-directory demo-smoke ;;
	*) echo "test.sh: no suite $suite; there are ${all[*]}" >&2; exit 2 ;;
	esac
done

echo
[ ${#broken[@]} -eq 0 ] || echo "failed suites: ${broken[*]}"
echo "$passed passed, $failed failed, $skipped skipped"
[ ${#broken[@]} -eq 0 ] && [ "$failed" -eq 0 ]
