import { ServiceError } from '#contract/errors';
import type { Call } from '../../admission/call.ts';
import type { Changed, Changes } from '../../offer/changes.ts';

/** `_meta` key that says which subscription a notification belongs to. */
export const subscriptionIdKey = 'io.modelcontextprotocol/subscriptionId';

/** Streams that one process keeps open. */
const mostOpen = 1024;

/** What a client asked to hear of, and gets (MCP 2026-07-28, subscriptions/listen). */
export interface Granted {
  readonly toolsListChanged?: true;
  readonly promptsListChanged?: true;
  readonly resourcesListChanged?: true;
  readonly resourceSubscriptions?: readonly string[];
  readonly taskIds?: readonly string[];
}

type Send = (method: string, params: object) => void;

/** Tells of what has a source of its own, until the function that comes back is called. */
export type Follow = (send: Send) => () => void;

/** This process has no room for one more. */
export class TooManySubscriptions extends Error {
  constructor() {
    super(`the server keeps at most ${mostOpen} subscriptions open; try again later`);
    this.name = 'TooManySubscriptions';
  }
}

/** The open subscriptions of this process. */
export class Subscriptions {
  readonly #changes: Changes;
  readonly #open = new Set<() => void>();
  #isEnding = false;

  constructor(changes: Changes) {
    this.#changes = changes;
  }

  get size(): number {
    return this.#open.size;
  }

  /**
   * Tell `call` of what it was granted until it leaves, which rejects, or the server ends it.
   *
   * @throws TooManySubscriptions when there is no room for one more
   */
  async listen(granted: Granted, call: Call, follow?: Follow): Promise<void> {
    const { notifier, requestId } = call;
    if (this.#isEnding || !notifier) {
      const text = 'the server is stopping; try again later';
      throw new ServiceError('stopping', 503, text, { retryAfterMs: 5000 });
    }
    if (this.#open.size >= mostOpen) throw new TooManySubscriptions();
    const _meta = { [subscriptionIdKey]: requestId };
    const send: Send = (method, params) => notifier.notify(method, { ...params, _meta });
    send('notifications/subscriptions/acknowledged', { notifications: granted });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const { signal } = call;
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    if (signal.aborted) reject(signal.reason);
    const quiet = this.#subscribe(granted, send, follow);
    this.#open.add(resolve);
    try {
      await promise;
    } finally {
      quiet();
      this.#open.delete(resolve);
    }
  }

  /** Answer every subscription, because the server stops. */
  end(): void {
    this.#isEnding = true;
    for (const resolve of this.#open) resolve();
  }

  #subscribe(granted: Granted, send: Send, follow: Follow | undefined): () => void {
    const { toolsListChanged, promptsListChanged, resourcesListChanged } = granted;
    const uris = new Set(granted.resourceSubscriptions);
    const stops: (() => void)[] = [];
    const pass = <Kind extends keyof Changed>(kind: Kind, tell: (what: Changed[Kind]) => void) =>
      stops.push(this.#changes.on(kind, tell));
    if (toolsListChanged) pass('tools', () => send('notifications/tools/list_changed', {}));
    if (promptsListChanged) pass('prompts', () => send('notifications/prompts/list_changed', {}));
    if (resourcesListChanged) {
      pass('resources', () => send('notifications/resources/list_changed', {}));
    }
    if (uris.size > 0) {
      pass('resource', (uri) => {
        if (uris.has(uri)) send('notifications/resources/updated', { uri });
      });
    }
    if (follow) stops.push(follow(send));
    return () => {
      for (const stop of stops) stop();
    };
  }
}
