#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# yours.sh judges an application that runs on this machine while a fault is made in it: an exporter and a Prometheus of
# its own, a load, a fault. docs/verdicts/yours.md explains it; `make check-yours ARGS="..."` calls it.
set -euo pipefail

usage() {
	cat >&2 <<-END
		usage: yours.sh [-s SECONDS] [-l LOAD] [-f FAULT] [-a SECONDS] DIRECTORY
		  -s  how long the run lasts (90)
		  -l  command that loads the application; started first, and ended with the run
		  -f  command that makes the fault; ended with the run, so it may undo the fault when it gets SIGTERM
		  -a  when the fault begins, in seconds after the start (45)
		The ports are NSTAR_PORT (19965) and PROMETHEUS_PORT (19090). What was said is in DIRECTORY/verdicts.txt and
		tool.txt (at the fault's end, and 30 s later in tool-after.txt), what it rests on in record.jsonl.
	END
	exit 2
}

length=90 begins=45 load='' fault=''
while getopts s:l:f:a: option; do
	case $option in
	s) length=$OPTARG ;;
	l) load=$OPTARG ;;
	f) fault=$OPTARG ;;
	a) begins=$OPTARG ;;
	*) usage ;;
	esac
done
shift $((OPTIND - 1))
[ $# -eq 1 ] || usage
[ "$(id -u)" -eq 0 ] || { echo "yours.sh: run it as root: the exporter loads eBPF programs" >&2; exit 1; }

root=$(cd "$(dirname "$0")/../../.." && pwd)
mkdir -p "$1"
dir=$(cd "$1" && pwd)
nstar=127.0.0.1:${NSTAR_PORT:-19965} prometheus=127.0.0.1:${PROMETHEUS_PORT:-19090}
rm -rf "$dir/tsdb" "$dir"/*.{txt,jsonl,log}
cat >"$dir/prometheus.yml" <<END
global: {scrape_interval: 5s, evaluation_interval: 5s}
rule_files: ['$root/rules/*.yaml']
scrape_configs:
  - {job_name: nstar, static_configs: [{targets: ['$nstar']}]}
  - job_name: nstar_windows
    metrics_path: /windows
    params: {consumer: [prometheus]}
    scrape_interval: 1s
    static_configs: [{targets: ['$nstar']}]
END

# Each command has a process group of its own, so that its children end with it.
started=()
start() { # LOG COMMAND...
	local log=$1
	shift
	setsid "$@" >"$dir/$log" 2>&1 &
	started+=($!)
}
end() {
	kill -- "-$1" 2>/dev/null || true
	wait "$1" 2>/dev/null || true
}
finish() {
	local i
	for ((i = ${#started[@]} - 1; i >= 0; i--)); do end "${started[i]}"; done
}
trap finish EXIT
trap 'exit 1' INT TERM

say() { # NAME LAST
	"$root/bin/nstartool" diagnose --prometheus "http://$prometheus" --last "$2" >"$dir/$1.txt" 2>&1 || true
}
verdict() {
	curl -s "http://$prometheus/api/v1/query" --data-urlencode 'query=nstar:app_verdict{app!="nstar"}' |
		jq -r '[.data.result[] | "\(.metric.app): " + ([.metric.verdict, .metric.tier, .metric.cause,
			(select(.metric.tier) | .value[1] | tonumber * 100 | round | select(. > 0) | "\(.) %")] |
			map(select(.)) | join(" "))] | join("; ")'
}

[ -z "$load" ] || start load.log bash -c "$load"
start exporter.log "$root/bin/nstar_exporter" --web.listen-address="$nstar" --record.file="$dir/record.jsonl"
start prometheus.log "$root/.cache/debian/usr/bin/prometheus" --config.file="$dir/prometheus.yml" \
	--storage.tsdb.path="$dir/tsdb" --web.listen-address="$prometheus" --log.level=warn
until curl -sf -o /dev/null "http://$prometheus/-/ready"; do
	kill -0 "${started[-1]}" 2>/dev/null || { tail -3 "$dir/prometheus.log" "$dir/exporter.log" >&2; exit 1; }
	sleep 0.2
done
zero=$SECONDS since=''
# watch prints the verdicts every 5 s until so long after the start.
watch() { # SECONDS
	while ((SECONDS - zero < $1)); do
		sleep $((5 - (SECONDS - zero) % 5))
		printf '%4d s %-10s %s\n' $((SECONDS - zero)) "$since" "$(verdict)" | tee -a "$dir/verdicts.txt"
	done
}

if [ -z "$fault" ]; then
	watch "$length"
	say tool 60s
	exit
fi
watch $((begins / 5 * 5))
sleep $((zero + begins > SECONDS ? zero + begins - SECONDS : 0))
start fault.log bash -c "$fault"
since=fault
watch "$length"
say tool 60s
end "${started[-1]}"
unset 'started[-1]'
since=over
watch $((length + 30))
say tool-after 3m
