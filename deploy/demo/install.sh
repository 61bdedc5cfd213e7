#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# install.sh gets what the demo needs. Libraries and programs without a service
# are installed; whatever would start a service (Prometheus, the exporters) is
# unpacked into .cache/debian instead. Quick when everything is there.
set -euo pipefail

: "${ROOT:?run this through deploy/demo/demo.sh}"
. "$ROOT/deploy/demo/lib/say.sh"

step "packages (the first time: 1 to 2 minutes)"
# apache2-bin and mariadb-server-core are the bare programs: no configuration
# is used, no service exists, nothing starts.
"$ROOT/tools/apt.sh" ca-certificates curl iproute2 util-linux openjdk-17-jdk-headless \
	apache2-bin mariadb-server-core mariadb-client-core tomcat10-common libtomcat10-java libmariadb-java
"$ROOT/tools/debian.sh" prometheus prometheus-alertmanager prometheus-node-exporter \
	prometheus-mysqld-exporter prometheus-apache-exporter >/dev/null
if [ "$PROMETHEUS" = 3 ]; then
	step "Prometheus 3.15 (the first time: several minutes of compiling)"
	"$ROOT/tools/prometheus/build.sh" >/dev/null
fi

step "jmx_exporter's agent"
"$ROOT/exporters/jmx/start.sh" >/dev/null

# BUILD=no takes the programs in bin/ as they are.
if [ "${BUILD:-yes}" != no ]; then
	step "the project's own programs"
	make -C "$ROOT" --no-print-directory build >"$DEMO/build.log" 2>&1 || {
		lines "$DEMO/build.log"
		fail "make build failed"
	}
	step "the page (the first time: 1 to 2 minutes)"
	make -C "$ROOT" --no-print-directory page >"$DEMO/page.log" 2>&1 || {
		lines "$DEMO/page.log"
		fail "make page failed"
	}
fi
mkdir -p "$DEMO/bin"
PATH="$ROOT/.cache/go/bin:$PATH" go build -C "$ROOT" -o "$DEMO/bin/dataset" ./deploy/demo/dataset
