import type { Caller } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { Store } from '#contract/house/store';
import type { JsonObject } from '#contract/json';
import type { Events } from '../../../generated/events.ts';
import type {
  WorkflowRunRow,
  WorkflowsTables,
} from '../../../generated/surfaces/workflows/tables.ts';
import { errorOf, type RunState, type RunStatus } from './run-state.ts';

/** A run and its newest state. */
export interface Run {
  readonly tenant: string;
  readonly id: string;
  readonly subject: string;
  readonly workflow: string;
  readonly revision: string;
  readonly version: number;
  readonly inputs: JsonObject;
  readonly state: RunState;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** What happens on the bus together with a change. */
export type RunNews = Exclude<keyof Events['workflow'], 'started'>;

export type Owner = Pick<Caller, 'tenant' | 'subject'>;

/** Runs that are kept of one caller. */
const mostRuns = 10_000;
/** How long a run is waited for that nobody goes on with, and one is kept that has ended. */
export const abandonedMs = 86_400_000;
const keptMs = 604_800_000;
/** Runs that one sweep ends. */
const mostSwept = 500;
const longestError = 2000;

export interface RunTableParts {
  readonly store: Store<WorkflowsTables>;
  readonly events: Pick<Events, 'workflow'>;
  readonly now: () => number;
}

/** The stored runs: each change replaces the version that was read, with the event that tells of it. */
export class RunTable {
  readonly #parts: RunTableParts;

  constructor(parts: RunTableParts) {
    this.#parts = parts;
  }

  /** The run of this id, where it is `owner`'s. */
  async find({ tenant, subject }: Owner, id: string): Promise<Run | undefined> {
    const row = await this.#parts.store.db
      .selectFrom('workflow_run')
      .selectAll()
      .where((where) => where.and({ tenant, subject, id }))
      .executeTakeFirst();
    return row && runOf(row);
  }

  /** Those of an owner, the newest first; those that are steps of others are left out. */
  async list(
    { tenant, subject }: Owner,
    { status, limit }: { readonly status?: RunStatus | undefined; readonly limit: number },
  ): Promise<readonly Run[]> {
    const rows = await this.#parts.store.db
      .selectFrom('workflow_run')
      .selectAll()
      .where((where) =>
        where.and({ tenant, subject, parent: '', ...(status !== undefined && { status }) }),
      )
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows.map(runOf);
  }

  /**
   * Store a new run.
   *
   * @throws ServiceError 429 when its owner has too many
   */
  async create(
    made: Pick<Run, 'tenant' | 'id' | 'subject' | 'workflow' | 'revision' | 'inputs' | 'state'>,
    parent = '',
  ): Promise<Run> {
    const { store, events } = this.#parts;
    const now = this.#parts.now();
    const run: Run = { ...made, version: 1, createdAt: now, updatedAt: now };
    await store.transaction(async (tx) => {
      const { count } = await tx
        .selectFrom('workflow_run')
        .select(({ fn }) => fn.countAll<number | bigint>().as('count'))
        .where((where) => where.and({ tenant: run.tenant, subject: run.subject }))
        .executeTakeFirstOrThrow();
      if (Number(count) >= mostRuns) throw tooMany();
      await tx.insertInto('workflow_run').values(rowOf(run, parent)).execute();
      await events.workflow.started.within(tx, factsOf(run));
    });
    return run;
  }

  /**
   * Keep a new state, with the event that tells of it where there is one; nothing where another one has
   * been kept since `run` was read.
   */
  async save(run: Run, state: RunState, news?: RunNews): Promise<Run | undefined> {
    const { store, events } = this.#parts;
    const next: Run = { ...run, state, version: run.version + 1, updatedAt: this.#parts.now() };
    if (news === undefined) return (await replace(store.db, run, next)) ? next : undefined;
    const done = await store.transaction(async (tx) => {
      if (!(await replace(tx, run, next))) return false;
      await events.workflow[news].within(tx, { ...factsOf(next), data: dataOf(next, run) });
      return true;
    });
    return done ? next : undefined;
  }

  /** Those that are steps of this one and have not ended. */
  async inside({ tenant, id }: Run): Promise<readonly Run[]> {
    const rows = await this.#parts.store.db
      .selectFrom('workflow_run')
      .selectAll()
      .where((where) => where.and({ tenant, parent: id }))
      .where('status', 'in', ['running', 'waiting'])
      .execute();
    return rows.map(runOf);
  }

  /** Runs of all tenants that nobody has gone on with for long. */
  async abandoned(): Promise<readonly Run[]> {
    const rows = await this.#parts.store.db
      .selectFrom('workflow_run')
      .selectAll()
      .where('status', 'in', ['running', 'waiting'])
      .where('updated_at', '<=', this.#parts.now() - abandonedMs)
      .limit(mostSwept)
      .execute();
    return rows.map(runOf);
  }

  /** Forget what ended long ago, of every tenant. */
  async removeOld(): Promise<void> {
    await this.#parts.store.db
      .deleteFrom('workflow_run')
      .where('status', 'in', ['completed', 'failed', 'cancelled'])
      .where('updated_at', '<=', this.#parts.now() - keptMs)
      .execute();
  }
}

/** One statement; false where the version that was read is not the newest. */
async function replace(
  db: Pick<Store<WorkflowsTables>['db'], 'updateTable'>,
  { tenant, id, version }: Run,
  { state, version: newer, updatedAt }: Run,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('workflow_run')
    .set({
      status: state.status,
      state: JSON.stringify(state),
      version: newer,
      updated_at: updatedAt,
    })
    .where((where) => where.and({ tenant, id, version }))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function runOf(row: WorkflowRunRow): Run {
  const { tenant, id, subject, workflow, revision, version } = row;
  return {
    ...{ tenant, id, subject, workflow, revision, version },
    // Both were written by `rowOf` and `save`.
    inputs: JSON.parse(row.inputs) as JsonObject,
    state: JSON.parse(row.state) as RunState,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function rowOf(run: Run, parent: string): WorkflowRunRow {
  const { tenant, id, subject, workflow, revision, version, inputs, state } = run;
  return {
    ...{ tenant, id, subject, workflow, revision, version, parent },
    status: state.status,
    inputs: JSON.stringify(inputs),
    state: JSON.stringify(state),
    created_at: run.createdAt,
    updated_at: run.updatedAt,
  };
}

function factsOf(run: Run) {
  return { tenant: run.tenant, subject: run.id, data: dataOf(run, run) };
}

/** What an event says; it is about the step at which the run stood before. */
function dataOf({ id, workflow, version, state }: Run, before: Run) {
  const error = errorOf(state);
  return {
    workflow_id: id,
    name: workflow,
    step: before.state.step,
    checkpoint: version,
    state_ref: `workflow_run/${id}`,
    ...(error !== undefined && { error: error.slice(0, longestError) }),
  };
}

function tooMany(): ServiceError {
  const message = `at most ${mostRuns} runs of workflows are kept of one caller; they are forgotten a week after their end`;
  return new ServiceError('too_many_runs', 429, message, { retryAfterMs: 3_600_000 });
}
