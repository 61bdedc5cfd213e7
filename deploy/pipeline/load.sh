#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# load.sh CLIENTS GAP SECONDS SUMMARY    has the producers send from so many clients, each with a mean time between two
#                                        records in nanoseconds, and the stream begin with these records; every five
#                                        seconds what the stream has stored of them is written into the file SUMMARY
#
# Parameters by environment: STREAM_CONTROL and PRODUCERS_CONTROL, the ports of the commands.
set -eu
clients=$1 gap=$2 seconds=$3 summary=$4

ask() { curl -fsS --max-time 60 "http://127.0.0.1:$1/$2"; }
tell() {
	ask "$STREAM_CONTROL" summary >"$summary.new"
	mv "$summary.new" "$summary"
}

ask "$STREAM_CONTROL" fresh
ask "$PRODUCERS_CONTROL" "start?clients=$clients&gap=$gap&seed=$clients"
end=$(($(date +%s) + seconds))
while left=$((end - $(date +%s))) && [ "$left" -gt 0 ]; do
	sleep "$((left < 5 ? left : 5))"
	tell
done
ask "$PRODUCERS_CONTROL" stop
