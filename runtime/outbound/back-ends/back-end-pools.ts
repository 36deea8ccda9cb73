import type { lookup } from 'node:dns';
import { LRUCache } from 'lru-cache';
import { Pool } from 'undici';
import type { BackEndTls } from '#contract/house/outbound';
import { defaultLimits } from '../call/options.ts';
import { guardedConnector } from '../connection/guarded-connector.ts';
import type { BackEndUrl } from './back-end-url.ts';
import type { AddressRule } from './host-rules.ts';
import { readTlsFiles } from './tls-files.ts';

/** Back ends to which connections are kept at a time. */
const mostPools = 128;
/** Connections to one of them at a time. */
const mostConnections = 16;

/** What resolves the names of hosts. */
export type Resolve = typeof lookup;

/** Connections to back ends, each of which goes to an address that was checked for it. */
export class BackEndPools {
  readonly #rule: AddressRule;
  readonly #resolve: Resolve;
  readonly #pools = new LRUCache<string, Promise<Pool>>({
    max: mostPools,
    dispose: (pool) => void pool.then((each) => each.close()).catch(() => {}),
  });

  constructor(rule: AddressRule, resolve: Resolve) {
    this.#rule = rule;
    this.#resolve = resolve;
  }

  /** The connections to the origin of a URL. */
  async pool(target: BackEndUrl, tls: BackEndTls = {}): Promise<Pool> {
    const key = JSON.stringify([target.url.origin, tls]);
    const kept = this.#pools.get(key);
    if (kept !== undefined) return kept;
    const made = this.#make(target, tls);
    this.#pools.set(key, made);
    made.catch(() => this.#pools.delete(key));
    return made;
  }

  async #make({ url, host, port }: BackEndUrl, tls: BackEndTls): Promise<Pool> {
    const permits = (address: string) => this.#rule(host, port, address) === undefined;
    return new Pool(url.origin, {
      connect: guardedConnector(permits, defaultLimits.connectTimeoutMs, {
        ...(await tlsOptions(tls)),
        resolve: this.#resolve,
      }),
      connections: mostConnections,
      maxHeaderSize: defaultLimits.headerBytes,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  async close(): Promise<void> {
    const pools = await Promise.allSettled(this.#pools.values());
    this.#pools.clear();
    await Promise.allSettled(
      pools.flatMap((each) => (each.status === 'fulfilled' ? [each.value.destroy()] : [])),
    );
  }
}

async function tlsOptions(tls: BackEndTls): Promise<object> {
  const { serverName, insecureSkipVerify } = tls;
  const { caFile: ca, certFile: cert, keyFile: key } = await readTlsFiles(tls);
  return {
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
    ...(serverName !== undefined && { servername: serverName }),
    ...(insecureSkipVerify && { rejectUnauthorized: false }),
  };
}
