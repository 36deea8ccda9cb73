import { randomBytes } from 'node:crypto';
import type { Log } from '#contract/house/log';
import type { Outbound } from '#contract/house/outbound';
import { isObject } from '#contract/json';
import { unusedClientMs } from '../numbers.ts';
import type { Outbox } from '../outbox/outbox.ts';
import type { ClientRecords, ClientRow } from '../records/clients.ts';
import { secretHash } from '../secrets/secret.ts';
import type { ClientMetadata, OAuthClient } from './client.ts';
import { isDocumentId, readClientDocument } from './client-document.ts';
import { digestOf, MetadataError, parseMetadata } from './client-metadata.ts';

export interface ClientParts {
  readonly configured: ReadonlyMap<string, OAuthClient>;
  readonly records: ClientRecords;
  readonly outbound: Outbound;
  readonly log: Pick<Log, 'warn'>;
  readonly outbox: Outbox;
  readonly now: () => number;
}

/** A client that has just registered itself; its secret is told once. */
export interface Registered {
  readonly client: OAuthClient;
  readonly secret: string | undefined;
  readonly createdAt: number;
  /** Until when it may stay unused; absent where it is used already. */
  readonly expiresAt: number | undefined;
}

/** Every client that this server knows or can get to know. */
export class Clients {
  readonly #parts: ClientParts;

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  /**
   * The client of an id; nothing where there is none.
   *
   * @throws MetadataError where its document cannot be used
   */
  async find(id: string): Promise<OAuthClient | undefined> {
    const { configured, records } = this.#parts;
    const known = configured.get(id);
    if (known) return known;
    if (isDocumentId(id)) return this.#read(id);
    if (!/^odc_[\w-]{22}$/.test(id)) return undefined;
    const row = await records.find(id);
    return row && clientOf(row);
  }

  /** Read the document of a client; why it cannot be used, its operator and ours want to know. */
  async #read(id: string): Promise<OAuthClient> {
    const { outbound, log } = this.#parts;
    try {
      return await readClientDocument(id, outbound);
    } catch (error) {
      if (!(error instanceof MetadataError)) throw error;
      const { message, cause } = error;
      const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
      // What stands behind a question mark may be a secret of somebody.
      const client = id.replace(/[?#].*/s, '').slice(0, 200);
      log.warn({ client, reason }, 'the document of a client cannot be used');
      throw error;
    }
  }

  /** A client that was used is not forgotten. */
  async keep({ kind, id }: OAuthClient, tx: Parameters<ClientRecords['keep']>[1]): Promise<void> {
    if (kind === 'dynamic') await this.#parts.records.keep(id, tx);
  }

  /**
   * Register a client by what it says of itself (RFC 7591 section 3.1). One without a secret that
   * has registered the same before gets the same id again.
   *
   * @throws MetadataError
   */
  async register(members: unknown): Promise<Registered> {
    if (!isObject(members)) {
      throw new MetadataError('invalid_client_metadata', 'a client is a JSON object');
    }
    const metadata = parseMetadata(members, {
      defaultMethod: 'client_secret_basic',
      needsRedirect: false,
      ignoresOthers: true,
      limitsScope: false,
    });
    const { records, outbox, now } = this.#parts;
    const secret = metadata.method.startsWith('client_secret')
      ? randomBytes(32).toString('base64url')
      : undefined;
    const hash = secret === undefined ? '' : secretHash(secret);
    const { name, method } = metadata;
    const fresh: ClientRow = {
      id: `odc_${randomBytes(16).toString('base64url')}`,
      kind: 'dynamic',
      name,
      metadata: JSON.stringify(metadata),
      secret_hash: hash,
      // Whoever has a secret must not share it with others who say the same.
      digest: secret === undefined ? digestOf(metadata, JSON.stringify(metadata)) : '',
      created_at: now(),
      used_at: null,
      expires_at: now() + unusedClientMs,
    };
    const row = await records.addOnce(fresh, (tx) => {
      const payload = { client: fresh.id, name: name.slice(0, 120), method };
      const note = { action: 'CLIENT_REGISTERED', subject: fresh.id, payload } as const;
      return outbox.add({ ...note, actor: { type: 'system', id: 'identity' } }, tx);
    });
    outbox.wake();
    return {
      client: clientOf(row),
      secret,
      createdAt: row.created_at,
      expiresAt: row.expires_at ?? undefined,
    };
  }
}

function clientOf(row: ClientRow): OAuthClient {
  // Written by `register` alone.
  const metadata: ClientMetadata = JSON.parse(row.metadata);
  const digest = digestOf(metadata, row.secret_hash);
  return { ...metadata, id: row.id, kind: 'dynamic', secretHash: row.secret_hash, digest };
}
