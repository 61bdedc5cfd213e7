# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# One server gets a processor of its own: Tomcat, or MariaDB with
# OWN_CORE=mariadb. The others and the load share another. On one processor for
# all, the tiers fight for it and every queue grows when any other does.
# Everything else is left to the scheduler.

# cores sets CORE_TOMCAT, CORE_MARIADB and CORE_OTHERS, empty when there is only
# one.
cores() {
	local list own
	# "0-1,4" becomes one number per line; the last is the least likely to serve
	# interrupts.
	list=$(taskset -cp $$ | sed 's/^.*: //' | tr ',' '\n' | while IFS=- read -r a b; do seq "$a" "${b:-$a}"; done)
	CORE_OTHERS=$(head -n 1 <<<"$list")
	own=$(tail -n 1 <<<"$list")
	if [ "$CORE_OTHERS" = "$own" ]; then
		CORE_OTHERS='' own=''
		say "Only one processor: the tiers share it, and the picture will be blurred."
	fi
	CORE_TOMCAT=$CORE_OTHERS CORE_MARIADB=$CORE_OTHERS
	case $OWN_CORE in
	tomcat) CORE_TOMCAT=$own ;;
	mariadb) CORE_MARIADB=$own ;;
	*) fail "OWN_CORE=$OWN_CORE: it must be tomcat or mariadb" ;;
	esac
}
