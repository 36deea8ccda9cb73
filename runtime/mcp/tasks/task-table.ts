import type { Transaction } from 'kysely';
import type { Caller } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { Store } from '#contract/house/store';
import type { Task, TaskKey } from '#contract/house/task';
import type { Tables } from '../../../generated/tables.ts';
import type { Changes } from '../../offer/changes.ts';
import { pollIntervalMs, type TaskWork } from './task.ts';
import type { TellOfTask } from './task-events.ts';
import { columnsOf, taskColumns, taskOf, textOfWork, workOf } from './task-row.ts';
import { after, hasEnded, type TaskEvent } from './task-state.ts';

export interface TaskTableOptions {
  /** How long a task lives on after a change of its state. */
  readonly ttlMs: number;
  /** Tasks of one caller that have not ended; ten times as many are kept altogether. */
  readonly mostOpen: number;
  readonly now?: () => number;
  /** Absent where nobody hears of tasks on the bus. */
  readonly tell?: TellOfTask | undefined;
}

/** Does more in the transaction that changes a task. */
export type InTransaction = (tx: Transaction<Tables>, task: Task) => Promise<void>;

type Owner = Pick<Caller, 'tenant' | 'subject'>;

const keptForEachOpen = 10;

/** The stored tasks. What was written is told to `changes` once it is there. */
export class TaskTable {
  readonly #store: Store<Tables>;
  readonly #changes: Changes;
  readonly #ttlMs: number;
  readonly #mostOpen: number;
  readonly #now: () => number;
  readonly #tell: TellOfTask | undefined;

  constructor(store: Store<Tables>, changes: Changes, options: TaskTableOptions) {
    this.#store = store;
    this.#changes = changes;
    this.#ttlMs = options.ttlMs;
    this.#mostOpen = options.mostOpen;
    this.#now = options.now ?? Date.now;
    this.#tell = options.tell;
  }

  /**
   * Store a new task, with what `also` adds.
   *
   * @throws ServiceError 429 when its caller has too many
   */
  async create(
    made: Pick<Task, 'id' | 'tool' | 'answers' | 'statusMessage'>,
    work: TaskWork,
    also: InTransaction,
  ): Promise<Task> {
    const { tenant, subject } = work.caller;
    const now = this.#now();
    const task: Task = {
      ...made,
      tenant,
      subject,
      state: 'working',
      createdAt: now,
      updatedAt: now,
      expiresAt: now + this.#ttlMs,
      version: 1,
      starts: 0,
      requests: {},
    };
    const { id, tool, version, createdAt } = task;
    const row = { tenant, id, subject, tool, version, created_at: createdAt, ...columnsOf(task) };
    await this.#store.transaction(async (tx) => {
      await this.#requireRoom(tx, work.caller);
      await tx
        .insertInto('task')
        .values({ ...row, work: textOfWork(work) })
        .execute();
      await also(tx, task);
      await this.#tell?.(tx, task, undefined);
    });
    return task;
  }

  /** The task of this id, where it is `owner`'s and has not expired. */
  async find(owner: Owner, id: string): Promise<Task | undefined> {
    const [task] = await this.select(owner, [id]);
    return task;
  }

  /** The tasks of these ids, as far as they are `owner`'s and have not expired. */
  async select({ tenant, subject }: Owner, ids: readonly string[]): Promise<readonly Task[]> {
    const rows = await this.#store.db
      .selectFrom('task')
      .select(taskColumns)
      .where((where) => where.and({ tenant, subject }))
      .where('id', 'in', ids)
      .where('expires_at', '>', this.#now())
      .execute();
    return rows.map(taskOf);
  }

  /**
   * Let something happen to a task; gives the task where that changed it. Only the version that was
   * read is replaced, so that of two changes at once one sees the other.
   */
  async change(key: TaskKey, event: TaskEvent, also?: InTransaction): Promise<Task | undefined> {
    const changed = await this.#store.transaction(async (tx) => {
      const row = await rowOf(tx, key);
      if (!row) return undefined;
      const task = taskOf(row);
      const next = after(task, event, { now: this.#now(), ttlMs: this.#ttlMs });
      if (!next) return undefined;
      const version = task.version + 1;
      const { numUpdatedRows } = await tx
        .updateTable('task')
        .set({ ...columnsOf(next), version, ...(hasEnded(next) && { work: '' }) })
        .where((where) =>
          where.and({ tenant: key.tenant, id: key.id, version: task.version, state: task.state }),
        )
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new Error('a task was changed while it was changed');
      const result: Task = { ...task, ...next, version };
      await also?.(tx, result);
      if (next.state !== task.state) await this.#tell?.(tx, result, task.state);
      return result;
    });
    if (changed) this.#changes.emit('task', changed);
    return changed;
  }

  /** What a run needs; nothing once the task has ended, which it is kept for no longer. */
  async work(key: TaskKey): Promise<TaskWork | undefined> {
    const row = await this.#store.db
      .selectFrom('task')
      .select('work')
      .where((where) => where.and({ tenant: key.tenant, id: key.id }))
      .executeTakeFirst();
    return row && row.work !== '' ? workOf(row.work) : undefined;
  }

  /** The versions of those tasks of one tenant that are there. */
  async versions(
    tenant: string,
    ids: readonly string[],
  ): Promise<readonly Pick<Task, 'id' | 'version'>[]> {
    return this.#store.db
      .selectFrom('task')
      .select(['id', 'version'])
      .where('tenant', '=', tenant)
      .where('id', 'in', ids)
      .execute();
  }

  async read(key: TaskKey): Promise<Task | undefined> {
    const row = await rowOf(this.#store.db, key);
    return row && taskOf(row);
  }

  async remove({ tenant, id }: TaskKey): Promise<void> {
    await this.#store.db
      .deleteFrom('task')
      .where((where) => where.and({ tenant, id }))
      .execute();
  }

  /** Remove what has expired, of every tenant. */
  async removeExpired(): Promise<void> {
    await this.#store.db.deleteFrom('task').where('expires_at', '<=', this.#now()).execute();
  }

  async #requireRoom(tx: Transaction<Tables>, { tenant, subject }: Owner): Promise<void> {
    const counts = await tx
      .selectFrom('task')
      .select(({ fn }) => ['state', fn.countAll<number | bigint>().as('count')])
      .where((where) => where.and({ tenant, subject }))
      .groupBy('state')
      .execute();
    let open = 0;
    let kept = 0;
    for (const { state, count } of counts) {
      kept += Number(count);
      if (!hasEnded({ state })) open += Number(count);
    }
    if (open < this.#mostOpen && kept < this.#mostOpen * keptForEachOpen) return;
    const message = `at most ${this.#mostOpen} tasks of one caller may be open, and ${this.#mostOpen * keptForEachOpen} be kept`;
    throw new ServiceError('too_many_tasks', 429, message, { retryAfterMs: pollIntervalMs });
  }
}

function rowOf(db: Pick<Store<Tables>['db'], 'selectFrom'>, { tenant, id }: TaskKey) {
  return db
    .selectFrom('task')
    .select(taskColumns)
    .where((where) => where.and({ tenant, id }))
    .executeTakeFirst();
}
