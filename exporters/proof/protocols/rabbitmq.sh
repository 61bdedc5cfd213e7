#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# rabbitmq.sh epmd | rabbitmq DIRECTORY   runs RabbitMQ, which speaks STOMP too, or what its node asks where others are
#
# Parameters by environment: DEBIAN, where it was unpacked; AMQP_PORT, STOMP_PORT, EPMD_PORT and CLUSTER_PORT.
set -eu
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
: "${DEBIAN:?}"
. "$here/../../../deploy/lib/rabbitmq.sh"

case ${1:-} in
epmd)
	run_epmd
	;;
rabbitmq)
	cat >"$2/rabbitmq.conf" <<-EOF
		listeners.tcp.local = 127.0.0.1:$AMQP_PORT
		stomp.listeners.tcp.local = 127.0.0.1:$STOMP_PORT
		log.file = false
	EOF
	run_rabbitmq proof "$2" "$2" rabbitmq_stomp
	;;
*)
	echo "usage: rabbitmq.sh epmd | rabbitmq DIRECTORY" >&2
	exit 2
	;;
esac
