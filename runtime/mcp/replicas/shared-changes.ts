import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Bus, ReceivedEvent } from '#contract/bus/bus';
import type { Store } from '#contract/house/store';
import { defaultTenant } from '#contract/tenant/tenants';
import {
  type AgentEvent,
  createEvents,
  type Events,
  type ListChange,
} from '../../../generated/events.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { Changes } from '../../offer/changes.ts';
import type { Part } from '../../process/life.ts';
import type { TaskWatch } from '../tasks/task-watch.ts';

export interface SharedChangesParts {
  readonly bus: Pick<Bus, 'publish' | 'read' | 'follow'>;
  readonly store: Pick<Store<Tables>, 'transaction'>;
  readonly changes: Changes;
  readonly watch: Pick<TaskWatch, 'lookAt'>;
  readonly log: Pick<Logger, 'warn'>;
}

const stream = 'SERVICE_AGENT';
const listChanged = 'agent.mcp.list_changed';
const followed = ['agent.state', listChanged];
/** After the bus could not be followed. */
const retryMs = 1000;
/** Changes of resources that are told together; a client that missed one reads again anyway. */
const mostWaiting = 1000;

/**
 * Carries what has changed from one replica to the clients of all: what is offered, by an event of its
 * own; tasks, by the events that are stored with them. What it misses of tasks is seen by the look
 * into the store (`TaskWatch.look`).
 */
export class SharedChanges implements Part {
  readonly #parts: SharedChangesParts;
  readonly #events: Events;
  readonly #replica = randomUUID();
  readonly #stopping = new AbortController();
  readonly #waiting = new Map<string, Omit<ListChange, 'replica'>>();
  #stops: readonly (() => void)[] = [];
  #publishing: Promise<void> | undefined;
  #following: Promise<void> | undefined;
  /** Whether what is told of now came from elsewhere. */
  #isForeign = false;

  constructor(parts: SharedChangesParts) {
    this.#parts = parts;
    this.#events = createEvents(parts.bus);
  }

  /** Begin; the bus may be reached later. */
  async start(): Promise<void> {
    const { changes } = this.#parts;
    this.#stops = [
      changes.on('tools', () => this.#share({ kind: 'tools' })),
      changes.on('prompts', () => this.#share({ kind: 'prompts' })),
      changes.on('resources', () => this.#share({ kind: 'resources' })),
      changes.on('resource', (uri) => this.#share({ kind: 'resource', uri })),
    ];
    this.#following = this.#follow();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const stop of this.#stops) stop();
    await Promise.all([this.#following, this.#publishing]);
  }

  #share(change: Omit<ListChange, 'replica'>): void {
    if (this.#isForeign || this.#waiting.size >= mostWaiting) return;
    this.#waiting.set(`${change.kind} ${change.uri ?? ''}`, change);
    this.#publishing ??= this.#publish().finally(() => {
      this.#publishing = undefined;
    });
  }

  /** Through the outbox, so that a bus that is away hears of it when it comes back. */
  async #publish(): Promise<void> {
    // What changes in the same breath is told once.
    await new Promise(setImmediate);
    while (this.#waiting.size > 0) {
      const changed = [...this.#waiting.values()];
      this.#waiting.clear();
      try {
        await this.#parts.store.transaction(async (tx) => {
          for (const change of changed) {
            const data = { replica: this.#replica, ...change };
            await this.#events.agent.mcpListChanged.within(tx, { tenant: defaultTenant, data });
          }
        });
      } catch (err) {
        this.#parts.log.warn({ err }, 'the clients of other replicas do not hear of a change');
      }
    }
  }

  async #follow(): Promise<void> {
    const { signal } = this.#stopping;
    const { bus, log } = this.#parts;
    let next = Number.POSITIVE_INFINITY;
    while (!signal.aborted) {
      try {
        // Where the stream was made anew meanwhile, it may have less.
        next = Math.min(next, (await lastSequence(bus)) + 1);
        const query = { stream, events: followed, fromSequence: next };
        for await (const received of bus.follow(query, signal)) {
          next = received.sequence + 1;
          await this.#tell(received);
        }
      } catch (err) {
        if (signal.aborted) return;
        log.warn({ err }, 'changes of other replicas cannot be heard now');
      }
      await sleep(retryMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #tell({ name, event: { tenant = defaultTenant, data } }: ReceivedEvent): Promise<void> {
    // A tenant changes nothing that others are offered. The data was checked by the bus, here and below.
    if (name === listChanged && tenant === defaultTenant) {
      this.#tellOfList(data as unknown as ListChange);
    }
    const { task } = name === 'agent.state' ? (data as unknown as AgentEvent) : {};
    if (task !== undefined) await this.#parts.watch.lookAt(tenant, task);
  }

  #tellOfList({ replica, kind, uri = '' }: ListChange): void {
    if (replica === this.#replica) return;
    this.#isForeign = true;
    try {
      if (kind === 'resource') this.#parts.changes.emit(kind, uri);
      else this.#parts.changes.emit(kind, undefined);
    } finally {
      this.#isForeign = false;
    }
  }
}

async function lastSequence(bus: Pick<Bus, 'read'>): Promise<number> {
  // Far behind the end, so that nothing is read.
  const query = { stream, fromSequence: Number.MAX_SAFE_INTEGER, limit: 1 };
  return (await bus.read(query)).lastSequence;
}
