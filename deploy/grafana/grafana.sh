#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# grafana.sh DIR runs an installed Grafana in the foreground with exactly what compose.yaml gives it: our panel, data
# source, dashboards and settings; nothing of the machine's own Grafana is read or changed. DIR takes its data. Any user
# may run it.
#
# GRAFANA_HOME    a Grafana unpacked anywhere; otherwise `grafana` on the PATH or in /usr/share/grafana is taken
# PROMETHEUS_URL  default http://127.0.0.1:19090, the demo's
# GRAFANA_PORT    default 13000
#
# grafana.sh --find prints the installation's directory instead, or fails.
# shellcheck disable=SC2034
set -euo pipefail

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH='' cd -- "$here/../.." && pwd)
PLUGIN=nstar-mainsequence-panel
OLDEST=12.3

fail() {
	echo "grafana.sh: $*" >&2
	exit 1
}

# A home holds the program, its defaults and its pages.
is_home() { [ -x "$1/bin/grafana" ] && [ -f "$1/conf/defaults.ini" ] && [ -d "$1/public" ]; }

# The packages put wrappers on the PATH that read the machine's own settings; what is wanted is the program behind them.
home() {
	if [ -n "${GRAFANA_HOME:-}" ]; then
		is_home "$GRAFANA_HOME" ||
			fail "GRAFANA_HOME=$GRAFANA_HOME holds no Grafana: bin/grafana, conf/defaults.ini and public/ are needed"
		echo "$GRAFANA_HOME"
		return
	fi
	local name program
	for name in grafana grafana-server; do
		program=$(command -v "$name") || continue
		program=$(dirname -- "$(dirname -- "$(readlink -f -- "$program")")")
		is_home "$program" && echo "$program" && return
	done
	is_home /usr/share/grafana && echo /usr/share/grafana && return
	fail "no Grafana found: install Grafana $OLDEST or newer, or set GRAFANA_HOME to one that was unpacked"
}

home=$(home)
if [ "${1:-}" = --find ]; then
	echo "$home"
	exit
fi

case ${1:--} in
-*) fail "usage: grafana.sh DIR (for Grafana's data), or grafana.sh --find" ;;
esac
[ -f "$root/grafana-plugin/dist/module.js" ] || fail "the panel is not built: run make panel"
version=$("$home/bin/grafana" --version 2>/dev/null | grep -oE '[0-9]+\.[0-9]+(\.[0-9]+)?' | head -n 1) ||
	fail "$home/bin/grafana does not run"
[ "$(printf '%s\n' "$OLDEST" "$version" | sort -V | head -n 1)" = "$OLDEST" ] ||
	fail "Grafana $version in $home is too old for the panel: $OLDEST or newer is needed"

mkdir -p "$1/plugins" "$1/dashboards" 2>/dev/null || fail "cannot write to $1"
data=$(CDPATH='' cd -- "$1" && pwd)
ln -sfn "$root/grafana-plugin/dist" "$data/plugins/$PLUGIN"
cp "$root/dashboards/bottlenecks.json" "$root/dashboards/capacity.json" "$data/dashboards/"
: >"$data/grafana.ini"

set -a # all of these are for Grafana
# shellcheck source=/dev/null
. "$here/grafana.env"
PROMETHEUS_URL=${PROMETHEUS_URL:-http://127.0.0.1:19090}
NSTAR_DASHBOARDS=$data/dashboards
GF_SERVER_HTTP_PORT=${GRAFANA_PORT:-$GF_SERVER_HTTP_PORT}
GF_PATHS_DATA=$data/data
GF_PATHS_LOGS=$data/log
GF_PATHS_PLUGINS=$data/plugins
GF_PATHS_PROVISIONING=$here/provisioning
set +a

exec "$home/bin/grafana" server --homepath "$home" --config "$data/grafana.ini"
