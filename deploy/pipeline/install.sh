#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh gets what the pipeline needs: the jars of Kafka and Cassandra (the ones that make check-exporters runs), of
# Spark and its clients, jmx_exporter; and compiles the two programs.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
jars=$root/.cache/check/jars
classes=$root/.cache/pipeline

"$root/tools/apt.sh" curl maven openjdk-17-jdk-headless
"$root/exporters/check/jars.sh" kafka cassandra pipeline
"$root/exporters/jmx/start.sh" >/dev/null
mkdir -p "$classes"
javac -d "$classes" -cp "$jars/kafka/*" "$here/Control.java" "$here/Words.java" "$here/Producers.java"
javac -d "$classes" -cp "$jars/pipeline/*:$classes" "$here/Stream.java"
