import { randomUUID } from 'node:crypto';
import { refreshGraceMs, refreshTokenMs } from '../numbers.ts';
import type { RefreshTokenRecords, RefreshTokenRow } from '../records/refresh-tokens.ts';
import type { Sealer } from '../secrets/sealer.ts';
import { makeSecret, secretHash } from '../secrets/secret.ts';
import type { Family } from './end-family.ts';

interface Parts {
  readonly records: RefreshTokenRecords;
  readonly sealer: Sealer;
  readonly now: () => number;
  /** Told when one was used again after its time: somebody has stolen it. */
  readonly onReuse: (row: RefreshTokenRow) => Promise<void>;
}

/** What a new family is for. */
export interface RefreshGrant {
  readonly kind: 'agent' | 'oauth';
  /** Registration or grant. */
  readonly owner: string;
  readonly client: string;
  readonly scopes: readonly string[];
  readonly resource: string;
  readonly jkt?: string | undefined;
}

/** A refresh token as it goes out, once. */
export interface RefreshToken {
  readonly value: string;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** What a spent token was for, and the one that takes its place. */
export interface Refreshed {
  readonly grant: RefreshGrant;
  readonly next: RefreshToken;
}

const kinds = { agent: 'art', oauth: 'ort' } as const;

/** Refresh tokens that rotate with every use (RFC 9700 section 4.14.2). */
export class RefreshTokens {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Begin a family; in the caller's transaction where there is one. */
  async issue(
    grant: RefreshGrant,
    db?: Parameters<RefreshTokenRecords['add']>[1],
  ): Promise<RefreshToken> {
    const { records, now } = this.#parts;
    const value = makeSecret(kinds[grant.kind]);
    const expiresAt = now() + refreshTokenMs;
    const row: RefreshTokenRow = {
      hash: secretHash(value),
      family: randomUUID(),
      kind: grant.kind,
      owner: grant.owner,
      client: grant.client,
      scopes: JSON.stringify(grant.scopes),
      resource: grant.resource,
      created_at: now(),
      expires_at: expiresAt,
      spent_at: null,
      successor: '',
      jkt: grant.jkt ?? '',
    };
    await records.add(row, db);
    return { value, expiresAt };
  }

  /** What a token is for, without spending it; nothing where it is worth nothing. */
  async find(value: string): Promise<(RefreshGrant & { readonly isSpent: boolean }) | undefined> {
    const row = await this.#parts.records.find(secretHash(value));
    return row && { ...grantOf(row), isSpent: row.spent_at !== null };
  }

  /** Spend a token; nothing where it is worth nothing. One that was stolen takes its family along. */
  async spend(value: string): Promise<Refreshed | undefined> {
    const { records, sealer, now, onReuse } = this.#parts;
    const kind = value.startsWith(`${kinds.oauth}_`) ? kinds.oauth : kinds.agent;
    const next = { value: makeSecret(kind), expiresAt: now() + refreshTokenMs };
    const successor = {
      hash: secretHash(next.value),
      sealed: await sealer.seal(JSON.stringify(next)),
      expiresAt: next.expiresAt,
      hashOf: async (spent: RefreshTokenRow) => secretHash((await this.#successorOf(spent)).value),
    };
    const spending = await records.spend(secretHash(value), successor, refreshGraceMs);
    switch (spending.kind) {
      case 'spent':
        return { grant: grantOf(spending.row), next };
      case 'repeated':
        return { grant: grantOf(spending.row), next: await this.#successorOf(spending.row) };
      case 'reused':
        await onReuse(spending.row);
        return undefined;
      case 'unknown':
        return undefined;
    }
  }

  async #successorOf({ successor }: RefreshTokenRow): Promise<RefreshToken> {
    return JSON.parse(await this.#parts.sealer.open(successor));
  }

  /** The family of a token; nothing where it is worth nothing. */
  async familyOf(value: string): Promise<(Family & Pick<RefreshTokenRow, 'client'>) | undefined> {
    return this.#parts.records.find(secretHash(value));
  }

  /** Revoke a token with all that it came from and that came of it; gives what it was for. */
  async revoke(value: string): Promise<RefreshGrant | undefined> {
    const { records } = this.#parts;
    const row = await records.find(secretHash(value));
    if (row) await records.removeFamily(row.family);
    return row && grantOf(row);
  }
}

function grantOf(row: RefreshTokenRow): RefreshGrant {
  const { kind, owner, client, resource, jkt } = row;
  return { kind, owner, client, resource, scopes: JSON.parse(row.scopes), jkt: jkt || undefined };
}
