#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# apt.sh PACKAGE... installs the Debian packages that are missing, without recommendations. Meant for tools and
# libraries; packages that would start a service are unpacked by debian.sh instead.
set -eu

missing=
for package in "$@"; do
	dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ]; then
	echo "apt.sh: not root; install these first: apt-get install$missing" >&2
	exit 1
fi
echo "Installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive
# $missing is a list of words
# shellcheck disable=SC2086
apt-get install -y -qq --no-install-recommends $missing >/dev/null 2>&1 || {
	apt-get update -qq
	apt-get install -y -qq --no-install-recommends $missing >/dev/null
}
