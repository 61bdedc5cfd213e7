// SPDX-License-Identifier: Apache-2.0
import './.config/jest-setup';

// React 19's scheduler wants a MessageChannel, which jsdom lacks; node's own would keep the test process alive.
if (!global.MessageChannel) {
  global.MessageChannel = class {
    constructor() {
      this.port1 = {};
      this.port2 = { postMessage: (data) => setTimeout(() => this.port1.onmessage?.({ data }), 0) };
    }
  };
}
