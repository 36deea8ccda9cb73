import {
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { type ConnectionOptions, connect, type NatsConnection } from '@nats-io/transport-node';
import type { BusHealth } from '#contract/bus/driver';
import { busUnavailable } from '#contract/bus/faults';
import { closeConnection } from './close-connection.ts';

/** Pause before the next attempt to connect, and what is added to it by chance. */
const reconnectMs = 500;
const jitterMs = 2000;
/** Time for one attempt, and for an answer of the server. */
const attemptMs = 5000;
/** A server that does not answer two pings of this distance counts as gone. */
const pingMs = 10_000;

/** What can be done while there is a connection. */
export interface Link {
  readonly connection: NatsConnection;
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
}

/** The connection to NATS: it is made in the background, and made again without end. */
export class NatsLink {
  readonly #options: ConnectionOptions;
  readonly #onFailure: (message: string, error: unknown) => void;
  readonly #stopping = new AbortController();
  #link: Link | undefined;
  #loop: Promise<void> | undefined;
  #state: BusHealth = { state: 'connecting' };
  #waiting = Promise.withResolvers<Link>();

  constructor(options: ConnectionOptions, onFailure: (message: string, error: unknown) => void) {
    this.#options = options;
    this.#onFailure = onFailure;
    this.#waiting.promise.catch(() => {});
  }

  start(): void {
    this.#loop ??= this.#connect();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#state = { state: 'stopped' };
    this.#waiting.reject(busUnavailable('the server stops'));
    if (this.#link) await closeConnection(this.#link.connection);
    await this.#loop;
  }

  health(): BusHealth {
    return this.#state;
  }

  /** @throws ServiceError `bus_unavailable` when there is no connection now */
  get now(): Link {
    if (this.#link !== undefined && this.#state.state === 'ok') return this.#link;
    throw busUnavailable(this.#state.reason ?? this.#state.state);
  }

  /** Resolves when there is a connection. @throws ServiceError `bus_unavailable` when it is stopped */
  async whenConnected(): Promise<Link> {
    if (this.#link !== undefined && this.#state.state === 'ok') return this.#link;
    return this.#waiting.promise;
  }

  async #connect(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const connection = await connect({
          ...this.#options,
          name: 'agent-tool-server',
          maxReconnectAttempts: -1,
          reconnectDelayHandler: pause,
          // A user who is locked out by mistake is let in again without a restart.
          ignoreAuthErrorAbort: true,
          timeout: attemptMs,
          pingInterval: pingMs,
        });
        if (signal.aborted) return await connection.close();
        await this.#use(connection);
      } catch (error) {
        this.#lose(error);
      }
      await sleep(pause(), signal);
    }
  }

  /** Resolves when the connection is closed for good. */
  async #use(connection: NatsConnection): Promise<void> {
    // Without a question: JetStream may still be about to start.
    const manager = await jetstreamManager(connection, { checkAPI: false, timeout: attemptMs });
    this.#link = { connection, manager, client: jetstream(connection, { timeout: attemptMs }) };
    this.#connected();
    void this.#watch(connection);
    const closed = await connection.closed();
    this.#link = undefined;
    if (closed instanceof Error) throw closed;
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') this.#lose(new Error('the connection was lost'));
      else if (status.type === 'reconnect') this.#connected();
      else if (status.type === 'error') this.#onFailure('NATS reports a fault', status.error);
    }
  }

  #connected(): void {
    if (this.#stopping.signal.aborted || this.#link === undefined) return;
    this.#state = { state: 'ok' };
    this.#waiting.resolve(this.#link);
  }

  #lose(error: unknown): void {
    if (this.#stopping.signal.aborted) return;
    const reason = error instanceof Error ? error.message : String(error);
    if (this.#state.reason !== reason) this.#onFailure('NATS cannot be reached', error);
    const state = this.#state.state === 'connecting' ? 'connecting' : 'degraded';
    if (this.#state.state === 'ok') {
      this.#waiting = Promise.withResolvers();
      this.#waiting.promise.catch(() => {});
    }
    this.#state = { state, reason };
  }
}

function pause(): number {
  return reconnectMs + Math.random() * jitterMs;
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
    function end(): void {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    }
    if (signal.aborted) end();
  });
}
