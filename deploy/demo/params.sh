# SPDX-License-Identifier: Apache-2.0
#
# Parameters of the demo, each with its default. A value given in the
# environment (or as `make demo NAME=value`) wins. demo.sh exports them all; the
# start scripts of the parts take them from there.
# shellcheck shell=sh disable=SC2034

# Knobs that a visitor turns.
CASE=${CASE:-collections}        # collections | neighbour: what stops Tomcat, the paper's first or second case
# The second case needs a collector that does not stop Tomcat, and processors with room for the batch job.
case $CASE in neighbour) COLLECTOR=${COLLECTOR:-g1} LOAD=${LOAD:-40} ;; esac
COLLECTOR=${COLLECTOR:-serial}   # serial | g1 | parallel: Tomcat's garbage collector
LOAD=${LOAD:-60}                 # percent for which pages keep the busiest processor busy, by a measurement at the start
USERS=${USERS:-}                 # emulated users of the closed loop; empty = as many as make LOAD
THINK=${THINK:-300ms}            # mean think time between two pages of a user
DURATION=${DURATION:-30m}        # how long the load runs
WARMUP=${WARMUP:-15s}            # full load before anything is measured; 0s = none
CALIBRATE=${CALIBRATE:-5s}       # for how long each of the two measurements lasts
RAMP=${RAMP:-20s}                # users join one by one over this time
LULL_EVERY=${LULL_EVERY:-0s}     # once per this time most users leave for 12 s; 0s = never
BURSTINESS=${BURSTINESS:-1}      # index of dispersion of the arrivals; 1 = independent
WATCH=${WATCH:-90}               # seconds of full load before the diagnosis
PROMETHEUS=${PROMETHEUS:-2}      # 2 = Debian's 2.42, 3 = 3.15 built from its module

# Soft resources and sizes that make the two bottlenecks; docs/demo.md says why.
POOL=${POOL:-64}                 # JDBC connections from Tomcat to MariaDB
THREADS=${THREADS:-400}          # AJP connections, httpd workers, Tomcat threads
OWN_CORE=${OWN_CORE:-tomcat}     # tomcat | mariadb: which has a processor of its own; the others share one
LIVE_MB=${LIVE_MB:-130}          # live set that the application keeps, in MB
HEAP=${HEAP:-158m}               # of the serial collector: YOUNG, the live set, 6 MB for Tomcat itself, and 6 MB to spare
YOUNG=${YOUNG:-14m}              # of the serial collector: a page leaves about 75 KB behind

# Faults on request, for the truth table of the verdicts (docs/verdicts.md).
WORKERS=${WORKERS:-$THREADS}     # httpd's MaxRequestWorkers
HOLD=${HOLD:-0}                  # ms that a page keeps its JDBC connection without using it
OUTSIDE=${OUTSIDE:-0}            # ms that a page waits for something else, without a JDBC connection
COLLECT=${COLLECT:-0}            # share of the time in full collections that the application asks for
COMPUTE=${COMPUTE:-0}            # megabytes that a page sums up without a JDBC connection

# The batch job of CASE=neighbour, on Tomcat's processor with a higher share than Tomcat's.
BURST=${BURST:-400}              # ms for which it computes, on average
PAUSE=${PAUSE:-1200}             # ms until it does so again, on average

# Addresses. Everything listens on loopback: the usual port plus 10000.
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
PAGE_PORT=19966
GRAFANA_PORT=13000             # used where a Grafana is installed

# Debian 12's Java, because another on the PATH may collect differently.
JAVA_BIN=${JAVA_BIN:-/usr/lib/jvm/java-17-openjdk-$(dpkg --print-architecture 2>/dev/null || echo none)/bin}

DEMO=$ROOT/.demo
DEBIAN=$ROOT/.cache/debian
# The account that the servers run as; it must exist already.
DEMO_USER=${DEMO_USER:-nobody}
