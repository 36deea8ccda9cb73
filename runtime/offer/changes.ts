import type { Task } from '#contract/house/task';

/** What clients may want to hear of. */
export interface Changed {
  readonly tools: undefined;
  readonly prompts: undefined;
  readonly resources: undefined;
  /** The URI of a resource whose contents changed. */
  readonly resource: string;
  /** A task that was changed by this process, or that somebody here watches (`TaskWatch`). */
  readonly task: Task;
}

type Listener<Kind extends keyof Changed> = (what: Changed[Kind]) => void;

/** Tells of changes to whoever listens now. */
export class Changes {
  readonly #listeners: { readonly [Kind in keyof Changed]: Set<Listener<Kind>> } = {
    tools: new Set(),
    prompts: new Set(),
    resources: new Set(),
    resource: new Set(),
    task: new Set(),
  };

  /** Listen until the function that comes back is called. */
  on<Kind extends keyof Changed>(kind: Kind, listener: Listener<Kind>): () => void {
    const listeners = this.#listeners[kind];
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  emit<Kind extends keyof Changed>(kind: Kind, what: Changed[Kind]): void {
    for (const listener of this.#listeners[kind]) listener(what);
  }
}
