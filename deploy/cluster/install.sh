#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# install.sh gets what the cluster needs beside the demo's servers: HAProxy is unpacked rather than installed, since
# installing it would start a service; its libraries are installed.
set -eu
root=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)

"$root/tools/apt.sh" openssl libcrypt1 liblua5.3-0 libopentracing-c-wrapper0 libpcre2-8-0 libssl3 libsystemd0
"$root/tools/debian.sh" haproxy >/dev/null
