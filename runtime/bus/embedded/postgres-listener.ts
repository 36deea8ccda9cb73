import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';

/** After a connection that was lost. */
const retryMs = 1000;

export interface ListenerOptions {
  readonly databaseUrl: string;
  readonly channel: string;
  readonly onNotice: (payload: string) => void;
  /** The connection is there, also anew: notices may have been missed until now. */
  readonly onConnect: () => void;
  readonly onFailure: (error: unknown) => void;
}

/** Hears the notices of a PostgreSQL database (LISTEN), over a connection of its own, for as long as it runs. */
export class PostgresListener {
  readonly #options: ListenerOptions;
  readonly #stopping = new AbortController();
  #client: Client | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  start(): void {
    this.#loop = this.#listen();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#client?.end().catch(() => {});
    await this.#loop;
  }

  /** Whether notices come now. */
  get isConnected(): boolean {
    return this.#client !== undefined;
  }

  async #listen(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.#connection();
      } catch (error) {
        if (!signal.aborted) this.#options.onFailure(error);
      }
      await sleep(retryMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  /** Resolves when the connection has ended. */
  async #connection(): Promise<void> {
    const { databaseUrl, channel, onNotice, onConnect } = this.#options;
    const { default: pg } = await import('pg');
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'agent-tool-server bus',
      connectionTimeoutMillis: 5000,
      keepAlive: true,
    });
    const ended = Promise.withResolvers<void>();
    client.on('error', ended.reject);
    client.on('end', () => ended.resolve());
    client.on('notification', ({ payload = '' }) => onNotice(payload));
    try {
      await client.connect();
      await client.query(`listen ${client.escapeIdentifier(channel)}`);
      if (this.#stopping.signal.aborted) return;
      this.#client = client;
      onConnect();
      await ended.promise;
    } finally {
      this.#client = undefined;
      // It may have failed before anybody waited for its end.
      ended.promise.catch(() => {});
      await client.end().catch(() => {});
    }
  }
}
