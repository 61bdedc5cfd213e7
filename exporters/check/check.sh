#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# check.sh [SYSTEM...] starts real systems on loopback with a small load and the configurations of exporters/, scrapes
# them twice, and fails if a series that the rules need is gone or stands still. All by default: web, kafka-zookeeper,
# kafka-kraft, cassandra, spark. With RECORD=yes the recorded scrapes, which the Go tests read, are written anew.
# Everything is under .cache/check, and ends with the script. Java 17, Maven and Go are needed; the first run downloads
# some hundred megabytes.
set -euo pipefail

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
exporters=$(dirname -- "$here")
root=$(dirname -- "$exporters")
mkdir -p "$root/.cache/check"
cache=$(CDPATH='' cd -- "$root/.cache/check" && pwd)
failed=

# shellcheck source=lib.sh
. "$here/lib.sh"
# shellcheck source=kafka.sh
. "$here/kafka.sh"
# shellcheck source=cassandra.sh
. "$here/cassandra.sh"
# shellcheck source=spark.sh
. "$here/spark.sh"
# shellcheck source=web.sh
. "$here/web.sh"

exec 9>"$cache/.lock"
flock -n 9 || fail "another check runs"
trap stop EXIT
trap 'exit 130' INT TERM

[ $# -gt 0 ] || set -- web kafka-zookeeper kafka-kraft cassandra spark
for system; do
	work=$cache/$system
	rm -rf "$work"
	mkdir -p "$work"
	case $system in
	web) check_web ;;
	kafka-zookeeper) check_kafka zookeeper ;;
	kafka-kraft) check_kafka kraft ;;
	cassandra) check_cassandra ;;
	spark) check_spark ;;
	*) fail "no system $system; there are web, kafka-zookeeper, kafka-kraft, cassandra, spark" ;;
	esac
	stop
done
[ -z "$failed" ]
