import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { takeContinue } from './informational.ts';

/** A connection that the address check refused. */
export class RefusedAddressError extends Error {
  readonly code = 'REFUSED_ADDRESS';

  constructor() {
    super('the address of the host is not public');
    this.name = 'RefusedAddressError';
  }
}

/** How connections are made beyond that. */
export type GuardedOptions = Omit<buildConnector.BuildOptions, 'lookup'> & {
  /** What resolves names, where it is not the system. */
  readonly resolve?: typeof lookup;
};

/**
 * Build a connector that checks the very address it connects to. Names are resolved once, by the
 * lookup of the connection itself, so that a second answer of the DNS cannot change it.
 */
export function guardedConnector(
  permits: AddressGuard,
  timeout: number,
  { resolve, ...tls }: GuardedOptions = {},
): buildConnector.connector {
  const connect = buildConnector({
    ...tls,
    // One protocol to bound and to test; the pool keeps connections open.
    allowH2: false,
    timeout,
    lookup: guardedLookup(permits, resolve),
  });
  return (options, callback) => {
    // A literal address is connected to without a lookup.
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0 && !permits(host)) {
      queueMicrotask(() => callback(new RefusedAddressError(), null));
      return;
    }
    connect(options, (...result) => {
      callback(...result);
      // What reads it is there now, and has read nothing.
      if (result[1]) takeContinue(result[1]);
    });
  };
}

/** Resolve a name and refuse it when any of its addresses is refused. */
export function guardedLookup(
  permits: AddressGuard,
  resolve: typeof lookup = lookup,
): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '');
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => permits(address))) {
        return callback(new RefusedAddressError(), '');
      }
      if (options.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}
