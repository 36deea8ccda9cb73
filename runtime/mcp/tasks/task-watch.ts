import type { Task, TaskKey } from '#contract/house/task';
import type { Changes } from '../../offer/changes.ts';
import type { TaskTable } from './task-table.ts';

type Listener = (task: Task) => void;

interface Watched {
  readonly key: TaskKey;
  /** The newest version that each of them has seen. */
  readonly seen: Map<Listener, number>;
}

/** How many tasks one question to the store is about. */
const askedAtOnce = 500;

/**
 * Tells of every change of the tasks that are watched here, once: at once where this process made
 * the change, with the next look into the store where another one did.
 */
export class TaskWatch {
  readonly #table: TaskTable;
  readonly #changes: Changes;
  readonly #watched = new Map<string, Watched>();

  constructor(table: TaskTable, changes: Changes) {
    this.#table = table;
    this.#changes = changes;
    changes.on('task', (task) => this.#tell(task));
  }

  /** Listen to what becomes of a task after `version`, until the function that comes back is called. */
  watch(
    { tenant, id, version }: Pick<Task, keyof TaskKey | 'version'>,
    listener: Listener,
  ): () => void {
    const watched = this.#watched.get(id) ?? { key: { tenant, id }, seen: new Map() };
    this.#watched.set(id, watched);
    watched.seen.set(listener, version);
    return () => {
      watched.seen.delete(listener);
      if (watched.seen.size === 0 && this.#watched.get(id) === watched) this.#watched.delete(id);
    };
  }

  /** Look for what others have changed; costs nothing where nobody watches. */
  async look(): Promise<void> {
    const tenants = Map.groupBy(this.#watched.values(), ({ key }) => key.tenant);
    for (const [tenant, watched] of tenants) {
      const ids = watched.map(({ key }) => key.id);
      for (let from = 0; from < ids.length; from += askedAtOnce) {
        await this.#compare(tenant, ids.slice(from, from + askedAtOnce));
      }
    }
  }

  /** Look for what another replica has made of one task, where somebody watches it. */
  async lookAt(tenant: string, id: string): Promise<void> {
    if (this.#watched.get(id)?.key.tenant === tenant) await this.#compare(tenant, [id]);
  }

  async #compare(tenant: string, ids: readonly string[]): Promise<void> {
    for (const { id, version } of await this.#table.versions(tenant, ids)) {
      const { seen } = this.#watched.get(id) ?? {};
      if (!seen?.values().some((known) => known < version)) continue;
      const task = await this.#table.read({ tenant, id });
      if (task) this.#changes.emit('task', task);
    }
  }

  #tell(task: Task): void {
    const { seen } = this.#watched.get(task.id) ?? {};
    if (!seen) return;
    for (const [listener, version] of seen) {
      if (task.version <= version) continue;
      seen.set(listener, task.version);
      listener(task);
    }
  }
}
