#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install-rabbitmq.sh unpacks RabbitMQ and the parts of Erlang that it needs rather than installing them, which would
# start a service. Their libraries are installed.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)

"$root/tools/apt.sh" libssl3 libsystemd0 libtinfo6
"$root/tools/debian.sh" rabbitmq-server erlang-asn1 erlang-base erlang-crypto erlang-eldap erlang-inets erlang-mnesia \
	erlang-os-mon erlang-parsetools erlang-public-key erlang-runtime-tools erlang-ssl erlang-syntax-tools erlang-tools \
	erlang-xmerl >/dev/null
