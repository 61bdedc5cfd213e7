#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# jmx_exporter runs inside the JVM that it watches. This script fetches the
# agent once and prints the option to start the JVM with:
#   CATALINA_OPTS="$(exporters/jmx/start.sh)"
# Parameters by environment:
#   LISTEN   address, default 127.0.0.1:9404
#   CONFIG   default tomcat.yml beside this script
#   JAR_DIR  where the agent is kept, default .cache/jmx of the repository
set -eu

version=1.0.1
sha256=7d61f737fd661610ccc14aea79764faa1ea94a340cbc8f0029b3d2edea3d80c1
repository=https://repo.maven.apache.org/maven2/io/prometheus/jmx/jmx_prometheus_javaagent

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
dir=${JAR_DIR:-$here/../../.cache/jmx}
name=jmx_prometheus_javaagent-$version.jar

mkdir -p "$dir"
dir=$(CDPATH='' cd -- "$dir" && pwd)
if ! echo "$sha256  $dir/$name" | sha256sum --check --status 2>/dev/null; then
	curl -fsSL --retry 3 -o "$dir/$name.new" "$repository/$version/$name" || {
		echo "jmx/start.sh: cannot download $repository/$version/$name" >&2
		exit 1
	}
	echo "$sha256  $dir/$name.new" | sha256sum --check --status || {
		echo "jmx/start.sh: the checksum of $name is wrong; delete $dir and try again, do not use it" >&2
		exit 1
	}
	mv "$dir/$name.new" "$dir/$name"
fi
echo "-javaagent:$dir/$name=${LISTEN:-127.0.0.1:9404}:${CONFIG:-$here/tomcat.yml}"
