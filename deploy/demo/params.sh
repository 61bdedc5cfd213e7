# SPDX-License-Identifier: Apache-2.0
#
# Parameters of the demo, each with its default; sourced by every script here.
# A value given in the environment (or as `make demo NAME=value`) wins.
# shellcheck shell=sh disable=SC2034

# Knobs that a visitor turns.
COLLECTOR=${COLLECTOR:-serial}   # serial | g1 | parallel: Tomcat's garbage collector
USERS=${USERS:-120}              # emulated users of the closed loop
THINK=${THINK:-200ms}            # mean think time between two pages of a user
DURATION=${DURATION:-30m}        # how long the load runs
RAMP=${RAMP:-45s}                # users join one by one over this time
BURSTINESS=${BURSTINESS:-1}      # index of dispersion of the arrivals; 1 = independent
PROMETHEUS=${PROMETHEUS:-2}      # 2 = Debian's 2.42, 3 = .cache/tools/prometheus

# Soft resources and sizes that make the two bottlenecks; docs/demo.md says why.
POOL=${POOL:-12}                 # JDBC connections from Tomcat to MariaDB
THREADS=${THREADS:-400}          # AJP connections, httpd workers, Tomcat threads
LIVE_MB=${LIVE_MB:-100}           # live set that the application keeps, in MB

# Addresses. Everything listens on loopback.
HOST=127.0.0.1
HTTPD_PORT=18080
AJP_PORT=18009
MARIADB_PORT=13306
NSTAR_PORT=19965
NODE_PORT=19100
MYSQLD_PORT=19104
APACHE_PORT=19117
JMX_PORT=19404
PROMETHEUS_PORT=19090
ALERTMANAGER_PORT=19093

# The account that the servers run as; it must exist already.
DEMO_USER=${DEMO_USER:-nobody}

ROOT=${ROOT:-$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}
DEMO=${DEMO:-$ROOT/.demo}
CACHE=$ROOT/.cache
