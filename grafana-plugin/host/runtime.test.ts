// SPDX-License-Identifier: Apache-2.0
import { runtime } from './runtime';

describe('runtime', () => {
  it('has one bus for everything', () => {
    const getAppEvents = runtime.getAppEvents as () => unknown;
    expect(getAppEvents()).toBe(getAppEvents());
  });

  it('names what it lacks, where that is used', () => {
    expect(() => runtime.getBackendSrv).toThrow('the plugin uses getBackendSrv of @grafana/runtime');
  });

  it('lets a bundle look whether it is an ES module', () => {
    expect(runtime.__esModule).toBeUndefined();
  });
});
