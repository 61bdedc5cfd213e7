# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Words to the person in front of the terminal.

say() { printf '%s\n' "$*"; }

# step announces something that may take a while, with the time so far.
step() { printf '[%3d s] %s\n' "$SECONDS" "$*"; }

fail() {
	printf 'demo: %s\n' "$*" >&2
	exit 1
}

# lines shows the end of a log, indented.
lines() {
	[ -s "$1" ] || return 0
	printf 'The last lines of %s:\n' "$1" >&2
	tail -n "${2:-15}" "$1" | sed 's/^/    /' >&2
}
