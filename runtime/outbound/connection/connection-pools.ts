import { errors, Pool } from 'undici';
import type { OutboundLimits } from '../call/options.ts';
import { createAddressGuard } from './address-guard.ts';
import { guardedConnector } from './guarded-connector.ts';

/** The open connections: one pool for each provider and origin. */
export class ConnectionPools {
  readonly #pools = new Map<string, Pool>();
  readonly #allow: readonly string[];
  readonly #limits: OutboundLimits;
  #closing: Promise<void> | undefined;

  constructor(allow: readonly string[], limits: OutboundLimits) {
    this.#allow = allow;
    this.#limits = limits;
  }

  /** The pool for one of a provider's origins. They are few: all of them stand in its server list. */
  of(provider: { readonly id: string; readonly selfHosted?: true }, origin: string): Pool {
    const key = `${provider.id} ${origin}`;
    const known = this.#pools.get(key);
    if (known !== undefined) return known;
    if (this.#closing !== undefined) throw new errors.ClientClosedError();
    const guard = createAddressGuard(this.#allow, provider.selfHosted === true);
    const pool = new Pool(origin, {
      connect: guardedConnector(guard, this.#limits.connectTimeoutMs),
      connections: this.#limits.connections,
      maxHeaderSize: this.#limits.headerBytes,
      // The deadline of the call is the only clock (call-life.ts).
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    this.#pools.set(key, pool);
    return pool;
  }

  /** Let running requests finish for at most `deadlineMs`, then cut what is left. */
  close(deadlineMs: number): Promise<void> {
    this.#closing ??= this.#close(deadlineMs);
    return this.#closing;
  }

  async #close(deadlineMs: number): Promise<void> {
    const pools = [...this.#pools.values()];
    const finished = Promise.all(pools.map((pool) => pool.close()));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, deadlineMs);
    });
    await Promise.race([finished, late]);
    clearTimeout(timer);
    await Promise.all(pools.map((pool) => pool.destroy()));
  }
}
