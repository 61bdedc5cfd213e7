#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# test.sh checks the rules and runs their tests with promtool of Prometheus
# 2.42 (Debian's) and of the pinned release, and the Go tests of this directory:
# every rule and alert has a test, every alert its texts and its runbook.
# With MATRIX=new it leaves 2.42 out.
set -eu
cd "$(dirname -- "$0")/.."

new=$(tools/prometheus/build.sh promtool)/promtool
old=
[ "${MATRIX:-all}" = new ] || old=$(tools/debian.sh prometheus)/usr/bin/promtool

# promtool makes much garbage; collecting it less often saves a tenth of the time.
export GOGC=400
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# failed shows what promtool said.
failed() {
	cat "$log" >&2
	exit 1
}
for promtool in $old "$new"; do
	version=$("$promtool" --version 2>&1 | sed -n 's/^promtool, version \([^ ]*\).*/\1/p')
	echo "== rules with promtool $version"
	"$promtool" check rules rules/*.yaml >"$log" 2>&1 || failed
	# promtool runs one test after the other: a file for each processor, the largest first. It prints a line for each
	# success, too.
	ls -S rules/tests/*_test.yaml | xargs -n 1 -P "$(nproc)" sh -c \
		'said=$("$0" test rules "$1" 2>&1) || { echo "$said" && exit 1; }' "$promtool" >"$log" || failed
	# scenarios that run together have a line each in front of their test
	tests=$(awk '/^  # shop/ { n++; batch = 1 } /^  - name:/ { n += !batch; batch = 0 } END { print n }' \
		rules/tests/*_test.yaml)
	echo "PASS promtool $version: $(ls rules/*.yaml | wc -l) rule files, $tests tests"
done
echo "== tests of the rules' texts"
go test ./rules/
