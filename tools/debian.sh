#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# debian.sh PACKAGE... unpacks Debian packages into .cache/debian and prints
# that directory. Programs are then found in DIR/usr/bin, shared files in
# DIR/usr/share.
#
# Packages are unpacked rather than installed on purpose: installing
# prometheus or one of the exporters would start and enable a service on a
# machine that may already run its own. For the same reason no maintainer
# script runs. A second call for the same packages does nothing and needs no
# network.
set -eu
# $cache below is a list of words and is meant to be split.
# shellcheck disable=SC2086

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
root=${NSTAR_DEBIAN_DIR:-$here/../.cache/debian}

fail() {
	echo "debian.sh: $*" >&2
	exit 1
}

[ $# -gt 0 ] || fail "no package named; usage: tools/debian.sh PACKAGE..."
for tool in apt-get apt-cache dpkg-deb flock; do
	command -v "$tool" >/dev/null 2>&1 ||
		fail "$tool is missing: this script needs Debian or a derivative with apt"
done

mkdir -p "$root/.stamps" "$root/.archives"
root=$(CDPATH='' cd -- "$root" && pwd)

# Two callers (the demo and the rules' tests) may come at once.
exec 9>"$root/.lock"
flock 9

# Container images switch off apt's own cache, and every call would then spend
# a second reading the package lists: keep a cache of ours.
cache="-o Dir::Cache::pkgcache=$root/.archives/pkgcache.bin -o Dir::Cache::srcpkgcache=$root/.archives/srcpkgcache.bin"

# As root, apt would hand the download to the user _apt, who cannot write here;
# it then warns and does it as root anyway. Say so from the start.
download() {
	(cd "$root/.archives" &&
		apt-get -qq $cache -o APT::Sandbox::User="$(id -un)" download "$1" >/dev/null 2>"$root/.archives/error.txt")
}

known() {
	apt-cache $cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'
}

# The lists are refreshed only when a package is unknown or has left the
# mirror, because apt-get update takes longer than everything else here.
updated=
update() {
	[ -z "$updated" ] || return 0
	updated=yes
	echo "debian.sh: refreshing apt's package lists for $1" >&2
	apt-get -qq update >&2 || fail "apt-get update failed (are you root, and online?)"
}

unpack() {
	[ ! -e "$root/.stamps/$1" ] || return 0
	known "$1" || update "$1"
	known "$1" || fail "package $1 is not known to apt on this machine"
	if ! download "$1"; then
		update "$1"
		download "$1" || fail "cannot download $1: $(tail -n 1 "$root/.archives/error.txt")"
	fi
	# Epochs and arch vary, so find the file by name: NAME_VERSION_ARCH.deb.
	archive=$(find "$root/.archives" -name "$1_*.deb" | head -n 1)
	[ -n "$archive" ] || fail "apt downloaded no archive for $1"
	dpkg-deb -x "$archive" "$root" || fail "cannot unpack $archive"
	dpkg-deb -f "$archive" Version >"$root/.stamps/$1"
	rm -f "$archive"
	# Web assets (Prometheus's own pages link to libjs-*) and fonts come along;
	# they hold no program and no service.
	for dependency in $(apt-cache $cache depends "$1" |
		sed -n 's/^ *Depends: \(libjs-[a-z0-9.+-]*\|fonts-[a-z0-9.+-]*\)$/\1/p'); do
		unpack "$dependency"
	done
}

# libraries lists the sonames that the loader does not find for a program.
libraries() {
	LD_LIBRARY_PATH=$(library_path) ldd "$1" 2>/dev/null | sed -n 's/^\t\([^ ]*\) => not found$/\1/p'
}

library_path() {
	echo "$root/usr/lib/$(uname -m)-linux-gnu:$root/lib/$(uname -m)-linux-gnu"
}

# Missing shared libraries are taken from the package's direct dependencies.
# Programs that need them must be started with LD_LIBRARY_PATH set; of those
# that the project uses none does on Debian 12.
complete() {
	[ -n "$(libraries "$2")" ] || return 0
	for dependency in $(apt-cache $cache depends "$1" | sed -n 's/^ *Depends: \(lib[a-z0-9.+-]*\)$/\1/p'); do
		unpack "$dependency"
	done
	missing=$(libraries "$2" | tr '\n' ' ')
	[ -z "$missing" ] || fail "$1: shared libraries not found: $missing"
	echo "debian.sh: start $2 with LD_LIBRARY_PATH=$(library_path)" >&2
}

for package in "$@"; do
	case $package in
	*[!a-z0-9.+-]*) fail "not a package name: $package" ;;
	esac
	unpack "$package"
	program=$root/usr/bin/$package
	[ -x "$program" ] || continue
	complete "$package" "$program"
	LD_LIBRARY_PATH=$(library_path) "$program" --version >/dev/null 2>&1 ||
		fail "$package was unpacked, but $program --version fails: run it to see why"
done

echo "$root"
