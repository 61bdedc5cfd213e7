# SPDX-License-Identifier: Apache-2.0
#
# Varnish of the magazine: what Ghost says may be kept is kept for as long as it says, what it says nothing of is asked for
# each time. BAN forgets all pages, as Ghost asks for when something is published. start.sh replaces @NAME@.
vcl 4.1;

backend ghost {
	.host = "127.0.0.1";
	.port = "@NODE_PORT@";
	.first_byte_timeout = 120s;
}

sub vcl_recv {
	if (req.method == "BAN") {
		ban("obj.status != 0");
		return (synth(200));
	}
}
