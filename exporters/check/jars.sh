#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# jars.sh NAME... has Maven fetch the releases that NAME.xml names, once, into .cache/check/jars/NAME.
set -euo pipefail

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
mkdir -p "$here/../../.cache/check"
cache=$(CDPATH='' cd -- "$here/../../.cache/check" && pwd)

# shellcheck source=lib.sh
. "$here/lib.sh"

for name; do
	jars "$name" >/dev/null
done
