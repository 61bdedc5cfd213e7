#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# debian-run.sh PROGRAM [ARGUMENT...] starts a program that debian.sh has
# unpacked so that it finds its data under /usr/share, as if it were installed.
# It is needed for prometheus-alertmanager alone, whose template path is
# compiled in and has no flag. The process id stays that of the caller (exec).
#
# The program gets a mount namespace of its own in which .cache/debian/usr/share
# lies over /usr/share; nothing changes for the rest of the machine. Needs root.
set -eu

fail() {
	echo "debian-run.sh: $*" >&2
	exit 1
}

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=${NSTAR_DEBIAN_DIR:-$here/../.cache/debian}
[ $# -gt 0 ] || fail "no program named; usage: tools/debian-run.sh PROGRAM [ARGUMENT...]"
[ -d "$root/usr/share" ] || fail "nothing unpacked yet: run tools/debian.sh PACKAGE first"
root=$(CDPATH='' cd -- "$root" && pwd)
program=$root/usr/bin/$1
[ -x "$program" ] || fail "$1 is not unpacked: run tools/debian.sh $1 first"
shift

# A plain bind mount serves where the kernel has no overlay file system; the
# program then sees no other shared data (time zones, CA certificates).
# shellcheck disable=SC2016
exec unshare --mount -- sh -eu -c '
	share=$1/usr/share
	program=$2
	shift 2
	mount -t overlay nstar -o "lowerdir=$share:/usr/share" /usr/share 2>/dev/null ||
		mount --bind "$share" /usr/share
	exec "$program" "$@"' debian-run "$root" "$program" "$@"
