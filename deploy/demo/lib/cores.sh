# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
#
# Tomcat gets a processor of its own; httpd, MariaDB and the load share another.
# On one processor for all, the tiers fight for it and every queue grows when
# any other does. Everything else is left to the scheduler.

# cores sets CORE_TOMCAT and CORE_OTHERS, empty when there is only one.
cores() {
	local list
	# "0-1,4" becomes one number per line; the last is the least likely to serve
	# interrupts.
	list=$(taskset -cp $$ | sed 's/^.*: //' | tr ',' '\n' | while IFS=- read -r a b; do seq "$a" "${b:-$a}"; done)
	CORE_OTHERS=$(head -n 1 <<<"$list")
	CORE_TOMCAT=$(tail -n 1 <<<"$list")
	if [ "$CORE_OTHERS" = "$CORE_TOMCAT" ]; then
		CORE_OTHERS='' CORE_TOMCAT=''
		say "Only one processor: the tiers share it, and the picture will be blurred."
	fi
}

