// SPDX-License-Identifier: Apache-2.0
//
// Node.js loads this before Ghost. A fault on request, by an argument in a page's address: ?outside=N waits N ms for
// somebody outside before Ghost hears of the request, as many at a time as come.
'use strict';
const http = require('node:http');

const emit = http.Server.prototype.emit;

http.Server.prototype.emit = function (event, request, ...rest) {
	const asked = event === 'request' && /[?&]outside=(\d{1,4})/.exec(request.url);
	if (!asked) return emit.call(this, event, request, ...rest);
	setTimeout(() => emit.call(this, event, request, ...rest), Number(asked[1]));
	return true;
};
