#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# check.sh [SYSTEM...] starts real systems on loopback with a small load and the configurations of exporters/, scrapes
# them twice, and fails if a series that the rules need is gone or stands still. All by default: web, tomcat,
# kafka-zookeeper, kafka-kraft, cassandra, spark, spark-structured. With RECORD=yes the recorded scrapes, which the Go
# tests read, are written anew. Everything is under .cache/check, and ends with the script. Java 17, Maven and Go are
# needed; the first run downloads some hundred megabytes.
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
# shellcheck source=tomcat.sh
. "$here/tomcat.sh"

exec 9>"$cache/.lock"
flock -n 9 || fail "another check runs"
trap stop EXIT
trap 'exit 130' INT TERM

systems=(web tomcat kafka-zookeeper kafka-kraft cassandra spark spark-structured)
[ $# -gt 0 ] || set -- "${systems[@]}"
for system; do
	work=$cache/$system
	rm -rf "$work"
	mkdir -p "$work"
	case $system in
	web) check_web ;;
	tomcat) check_tomcat ;;
	kafka-zookeeper) check_kafka zookeeper ;;
	kafka-kraft) check_kafka kraft ;;
	cassandra) check_cassandra ;;
	spark) check_spark ;;
	spark-structured) check_structured ;;
	*) fail "no system $system; there are ${systems[*]}" ;;
	esac
	stop
done
[ -z "$failed" ]
