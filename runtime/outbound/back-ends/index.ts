import { type LookupAddress, lookup } from 'node:dns';
import { isIP } from 'node:net';
import type { BackEndRequest, BackEndRules, BackEnds } from '#contract/house/outbound';
import { OutboundError } from '#contract/house/outbound';
import { CallLife } from '../call/call-life.ts';
import { systemClock } from '../call/clock.ts';
import { exchange } from '../call/exchange.ts';
import { answerOf, faultOf, wireRequest } from '../strangers/stranger-fetch.ts';
import { BackEndPools, type Resolve } from './back-end-pools.ts';
import { type BackEndUrl, readBackEndUrl, refused } from './back-end-url.ts';
import { createAddressRule } from './host-rules.ts';
import { tlsFaults } from './tls-files.ts';

const defaultTimeoutMs = 5000;

/** Open the way to the operator's own servers. */
export function createBackEnds(
  rules: BackEndRules,
  version: string,
  resolve: Resolve = lookup,
): BackEnds {
  const rule = createAddressRule(rules);
  const pools = new BackEndPools(rule, resolve);
  /** @throws OutboundError where the host itself is an address that is refused */
  const read = (text: string): BackEndUrl => {
    const target = readBackEndUrl(text, rules);
    if (isIP(target.host) === 0) return target;
    const reason = rule(target.host, target.port, target.host);
    if (reason !== undefined) throw refused(reason);
    return target;
  };
  return {
    async check(text) {
      const { host, port } = read(text);
      if (isIP(host) !== 0) return;
      for (const { address } of await addressesOf(host, resolve)) {
        const reason = rule(host, port, address);
        if (reason !== undefined) throw refused(reason);
      }
    },
    tlsFaults,
    async fetch(text, request: BackEndRequest) {
      const target = read(text);
      const signal = request.signal ?? new AbortController().signal;
      const timeoutMs = request.timeoutMs ?? defaultTimeoutMs;
      const life = new CallLife({ call: { signal } }, timeoutMs, systemClock);
      try {
        const pool = await pools.pool(target, request.tls);
        const wire = wireRequest(target.url, request, version);
        return answerOf(await exchange(pool, wire, { life, maxBytes: request.maxBytes }));
      } catch (error) {
        throw faultOf(error);
      } finally {
        life.close();
      }
    },
    close: () => pools.close(),
  };
}

function addressesOf(host: string, resolve: Resolve): Promise<readonly LookupAddress[]> {
  return new Promise((done, fail) => {
    resolve(host, { all: true }, (error, addresses) => {
      if (error === null) return done(addresses);
      fail(new OutboundError('unreachable', `${host} has no address`, error));
    });
  });
}
