// SPDX-License-Identifier: Apache-2.0

const LOOPBACK = /^https?:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$)/;

/**
 * Where to ask Prometheus. The server of the page passes queries on, so that the page needs no other address. For
 * development `?prometheus=` names a server; both must be on this machine, because otherwise a link could make your
 * page ask another person's server.
 *
 * @param page address of the page, @param wanted the parameter
 */
export function serverOf(page: string, wanted: string | undefined): string {
  const own = new URL('.', page);
  if (!wanted) {
    return own.href;
  }
  if (!LOOPBACK.test(wanted) || !LOOPBACK.test(own.href)) {
    throw new Error(
      `prometheus=${wanted} in the address is for development only, with page and Prometheus both on 127.0.0.1: ` +
        `leave it out`
    );
  }
  return wanted.endsWith('/') ? wanted : `${wanted}/`;
}
