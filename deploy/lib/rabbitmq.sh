# SPDX-License-Identifier: Apache-2.0
#
# RabbitMQ, unpacked by tools/debian.sh to $DEBIAN: sourced by those who run it. Erlang's own scripts expect it to be
# installed; its programs are told where it is.
export ROOTDIR="$DEBIAN/usr/lib/erlang" EMU=beam PROGNAME=erl
BINDIR=$(echo "$ROOTDIR"/erts-*/bin)
export BINDIR ERL_EPMD_ADDRESS=127.0.0.1 ERL_EPMD_PORT="$EPMD_PORT"

# run_epmd tells Erlang's nodes where they are, on EPMD_PORT.
run_epmd() {
	exec "$BINDIR/epmd"
}

# run_rabbitmq NODE DIRECTORY LOGS [PLUGIN,...] runs the configuration file DIRECTORY/rabbitmq.conf; the node talks to
# others on CLUSTER_PORT. As Debian starts it, with one scheduler, since the servers share a processor.
run_rabbitmq() {
	export HOME="$2" RABBITMQ_NODENAME="$1@localhost" RABBITMQ_MNESIA_BASE="$2/data" RABBITMQ_LOG_BASE="$3" \
		RABBITMQ_CONFIG_FILE="$2/rabbitmq.conf" RABBITMQ_CONF_ENV_FILE=/dev/null \
		RABBITMQ_ENABLED_PLUGINS="${4:-}" RABBITMQ_ENABLED_PLUGINS_FILE="$2/plugins" \
		RABBITMQ_DIST_PORT="$CLUSTER_PORT"
	home=$(echo "$DEBIAN"/usr/lib/rabbitmq/lib/rabbitmq_server-*)
	export ERL_LIBS="$home/plugins"
	exec "$BINDIR/erlexec" -noinput -boot start_sasl -s rabbit boot -sasl sasl_error_logger false +W w +S 1:1 \
		+sbwt none +sbwtdcpu none +sbwtdio none -kernel inet_dist_use_interface '{127,0,0,1}'
}
