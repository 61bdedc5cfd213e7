#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# emulator.sh ARCHITECTURE... unpacks qemu for amd64 or arm64 into .cache/debian, with the libraries that the machine
# lacks, and prints its version.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)
emulators='' programs=''
for arch in "$@"; do
	case $arch in
	amd64) emulators="$emulators qemu-system-x86" programs="$programs qemu-system-x86_64" ;;
	arm64) emulators="$emulators qemu-system-arm" programs="$programs qemu-system-aarch64" ;;
	esac
done

# apt knows what they need and what of it is installed; data comes before the programs, which are tried at once.
# $emulators is a list of words
# shellcheck disable=SC2086
needed=$(apt-get -s install --no-install-recommends $emulators 2>/dev/null | sed -n 's/^Inst \([^ ]*\) .*/\1/p' |
	grep -vxF "$(echo $emulators | tr ' ' '\n')" || true)
# shellcheck disable=SC2086
debian=$("$root/tools/debian.sh" $needed $emulators 2>/dev/null) || {
	echo "emulator.sh: qemu could not be unpacked: tools/debian.sh $emulators" >&2
	exit 1
}
libraries=$debian/usr/lib/$(uname -m)-linux-gnu:$debian/lib/$(uname -m)-linux-gnu
for program in $programs; do
	LD_LIBRARY_PATH=$libraries "$debian/usr/bin/$program" --version | head -n 1
done
