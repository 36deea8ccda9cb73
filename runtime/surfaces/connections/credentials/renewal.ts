import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { ConnectableVendor } from '#contract/connect/connectable';
import { ToolError } from '#contract/errors';
import type { House } from '#contract/house/house';
import type { ConnectionRow } from '../../../../generated/surfaces/connections/tables.ts';
import { toNote } from '../notes.ts';
import { leaseMs, lookMs, mostRefused, refusedMs } from '../numbers.ts';
import { FlowError } from '../oauth/flow-error.ts';
import { type OAuthWay, refreshFlow } from '../oauth/vendor-flow.ts';
import type { ConnectionRecords } from '../records/connections.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { endsGrants, toRevoke } from '../to-revoke.ts';
import { type HeldTokens, readTokens, writeTokens } from './held-tokens.ts';

export interface RenewalParts extends Pick<House, 'outbound' | 'now' | 'log' | 'jobs'> {
  readonly records: ConnectionRecords;
  readonly sealer: Sealer;
  readonly vendors: ReadonlyMap<string, ConnectableVendor>;
}

/** Why a token is renewed: it is about to expire, or the vendor has refused it. */
export type WhyRenew = 'expiry' | 'refusal';

/** The connection with a token that can be used; nothing where another one would not help. */
export type Renewed = ConnectionRow | 'broken' | undefined;

/**
 * Renews tokens, each once however many calls want it: those of this process wait for one flight, and
 * of several replicas one has the lease.
 */
export class Renewal {
  readonly #parts: RenewalParts;
  readonly #flights = new Map<string, Promise<Renewed>>();
  /** The versions that took the place of tokens which the vendor had refused, by connection. */
  readonly #refused: LRUCache<string, number>;

  constructor(parts: RenewalParts) {
    this.#parts = parts;
    const perf = { now: parts.now };
    this.#refused = new LRUCache({ max: mostRefused, ttl: refusedMs, ttlResolution: 0, perf });
  }

  /** @throws ToolError `upstream_error` where there is no token now that could be used */
  renew(row: ConnectionRow, why: WhyRenew): Promise<Renewed> {
    // Another token did not help either: at each call anew the vendor would be asked for one more.
    if (why === 'refusal' && this.#refused.get(row.id) === row.version) {
      return Promise.resolve(undefined);
    }
    const key = `${row.id} ${row.version} ${why}`;
    const known = this.#flights.get(key);
    if (known) return known;
    const flight = this.#renew(row, why).finally(() => this.#flights.delete(key));
    this.#flights.set(key, flight);
    return flight;
  }

  async #renew(row: ConnectionRow, why: WhyRenew): Promise<Renewed> {
    const { records, now } = this.#parts;
    const held = await readTokens(this.#parts.sealer, row);
    const way = this.#wayOf(row);
    if (held.refresh === undefined || way === undefined)
      return this.#withoutRefresh(row, held, why);
    const end = now() + leaseMs;
    for (;;) {
      if (await records.lease(row, now() + leaseMs)) return this.#ask(row, way, held, why);
      const current = await records.find(row, row.provider);
      if (!current || current.id !== row.id) return current;
      if (current.state === 'broken') return 'broken';
      if (current.version > row.version) return current;
      if (now() >= end) throw this.#unavailable(row);
      await sleep(lookMs);
    }
  }

  async #ask(row: ConnectionRow, way: OAuthWay, held: HeldTokens, why: WhyRenew): Promise<Renewed> {
    const { records, sealer, log, jobs } = this.#parts;
    const { tenant, subject, provider, way: kind } = row;
    try {
      const tokens = await refreshFlow(way, this.#parts, held.refresh ?? '');
      // One that gives no new refresh token leaves the old one in use (RFC 6749 section 6).
      const next = { access: tokens.access, refresh: tokens.refresh ?? held.refresh };
      const kept = await writeTokens(sealer, row, next);
      const expires_at = tokens.expiresAt ?? null;
      const scopes = tokens.scopes === '' ? row.scopes : tokens.scopes;
      const renewed = await records.renew(row, { ...kept, expires_at, scopes });
      if (renewed && why === 'refusal') this.#refused.set(row.id, renewed.version);
      return renewed ?? (await this.#instead(row, kept));
    } catch (error) {
      if (error instanceof FlowError && error.fault === 'refused')
        return this.#breakOff(row, 'refresh');
      log.warn(
        { err: error, provider },
        'the vendor could not be asked for a new token of a person',
      );
      await records.release(row, (tx) =>
        toNote(this.#parts, { tenant, kind: 'unrenewed', subject, provider, way: kind }, tx),
      );
      jobs.wake();
      if (why === 'expiry' && this.#isAlive(row)) return row;
      throw this.#unavailable(row);
    }
  }

  /** What is there in the place of a row that has gone, or changed, while the vendor was asked. */
  async #instead(row: ConnectionRow, kept: Pick<ConnectionRow, 'sealed'>): Promise<Renewed> {
    const { records, jobs, vendors } = this.#parts;
    const current = await records.find(row, row.provider);
    if (current?.id === row.id) return current.state === 'broken' ? 'broken' : current;
    // Nobody knows of the token that was given meanwhile; an account that was connected anew stays.
    if (!current || !endsGrants(vendors.get(row.provider), row)) {
      await toRevoke(jobs, { ...row, ...kept });
      jobs.wake();
    }
    return current;
  }

  /** A token that cannot be renewed is used for as long as the vendor takes it. */
  async #withoutRefresh(row: ConnectionRow, held: HeldTokens, why: WhyRenew): Promise<Renewed> {
    if (why === 'expiry') return this.#isAlive(row) ? row : this.#breakOff(row, 'refresh');
    const vendor = this.#parts.vendors.get(row.provider);
    const found = await vendor?.tryOut(row.scheme, held.access);
    // One call may be refused for reasons of its own.
    return found?.isRefused ? this.#breakOff(row, 'call') : undefined;
  }

  async #breakOff(row: ConnectionRow, during: 'refresh' | 'call'): Promise<'broken'> {
    const { records, jobs } = this.#parts;
    const { tenant, subject, provider, way } = row;
    await records.breakOff(row, (_, tx) =>
      toNote(this.#parts, { tenant, kind: 'broken', subject, provider, way, during }, tx),
    );
    jobs.wake();
    return 'broken';
  }

  #isAlive({ expires_at }: ConnectionRow): boolean {
    return expires_at === null || expires_at > this.#parts.now();
  }

  #wayOf({ provider, scheme, way }: ConnectionRow): OAuthWay | undefined {
    if (way !== 'oauth2') return undefined;
    const ways = this.#parts.vendors.get(provider)?.ways ?? [];
    return ways.filter((each) => each.kind === 'oauth2').find((each) => each.scheme === scheme);
  }

  #unavailable({ provider }: ConnectionRow): ToolError {
    const title = this.#parts.vendors.get(provider)?.title ?? provider;
    const message = `${title} cannot be asked for a new token of the account that was connected`;
    return new ToolError('upstream_error', message, { provider, retryable: true });
  }
}
