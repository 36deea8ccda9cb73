import { randomBytes } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { EventDoor } from '#contract/bus/events';
import type { Caller } from '#contract/caller';
import type { Approval, ApprovalDesk, ApprovalKey, Question } from '#contract/house/approval';
import type { Author } from '#contract/house/audit-events';
import type { Jobs } from '#contract/house/jobs';
import type { Store } from '#contract/house/store';
import type { HouseEvents } from '../../../generated/audit-events.ts';
import { houseJobs } from '../../../generated/jobs.ts';
import type { ApprovalRow, Tables } from '../../../generated/tables.ts';
import { type AnnouncedReviews, announceReviews } from './announced-reviews.ts';
import { approvalOf, isTask, noTaskYet } from './approval-row.ts';
import { ApprovedActs } from './approved-acts.ts';
import { type DeskPlace, DeskRoom, requireRoom } from './desk-room.ts';

/** How long a person has to decide, and how long what was approved may be done after that. */
const lifetimeMs = 600_000;
/** How often those who wait for a decision look. */
export const lookMs = 250;
/** 24 random bytes. */
const idForm = /^[\w-]{32}$/;

export interface ApprovalsParts {
  readonly store: Store<Tables>;
  readonly jobs: Pick<Jobs, 'define' | 'wake'>;
  readonly events: Pick<HouseEvents, 'approvalDecided'>;
  /** Where it is told on the event bus what becomes of questions; absent where nobody listens. */
  readonly announcements?: EventDoor | undefined;
  readonly now?: () => number;
  /** Told when it could not be written down what came of an approved call. */
  readonly onLoss?: (error: unknown, operation: string) => void;
}

/** A call that somebody has to agree to. */
export interface ApprovalRequest {
  readonly caller: Caller;
  readonly client: string;
  readonly operation: string;
  /** Made only where somebody is asked: it may take a moment. */
  readonly question: () => Question;
  readonly digest: string;
}

/** Does what waits for a decision, in the transaction in which it was made. */
type WhenDecided = (tx: Transaction<Tables>, tenant: string, task: string) => Promise<void>;

/** What people were asked to agree to, kept in the store: any replica asks, shows and decides. */
export class Approvals implements ApprovalDesk {
  /** What became of what was approved. */
  readonly acts: ApprovedActs;
  readonly #parts: ApprovalsParts;
  readonly #now: () => number;
  readonly #room = new DeskRoom();
  readonly #announced: AnnouncedReviews;
  readonly #looks = new Map<string, Promise<Approval | undefined>>();
  #whenDecided: WhenDecided = async () => {};

  /** Define the job that ends what nobody has decided in time. */
  constructor(parts: ApprovalsParts) {
    this.#parts = parts;
    this.#now = parts.now ?? Date.now;
    this.#announced = announceReviews(parts.announcements);
    this.acts = new ApprovedActs({ ...parts, now: this.#now });
    const run = () => this.removeExpired();
    parts.jobs.define({ ...houseJobs.approvalExpiry, run });
  }

  whenDecided(listener: WhenDecided): void {
    this.#whenDecided = listener;
  }

  /** The approval of this very call that is asked for, given or refused already, else a new one. */
  async request(request: ApprovalRequest): Promise<Approval> {
    const { store } = this.#parts;
    // Most questions are there already, or find no room: that takes no transaction.
    const known = await this.#current(store.db, request);
    if (known) return known;
    return this.#ask(
      request,
      async (tx) => (await this.#current(tx, request)) ?? this.#insert(tx, request, ''),
    );
  }

  /** A new approval for one task, which is attached to it. */
  async requestForTask(request: ApprovalRequest): Promise<Approval> {
    return this.#ask(request, (tx) => this.#insert(tx, request, noTaskYet));
  }

  async #ask(
    { caller: { tenant, subject }, operation }: ApprovalRequest,
    work: (tx: Transaction<Tables>) => Promise<Approval>,
  ): Promise<Approval> {
    const { store } = this.#parts;
    const place: DeskPlace = { tenant, subject, operation };
    await requireRoom(store.db, place, this.#now());
    return this.#room.enter(place, () => store.transaction(work));
  }

  async #current(
    db: Transaction<Tables> | Store<Tables>['db'],
    { caller, digest }: ApprovalRequest,
  ): Promise<Approval | undefined> {
    const { tenant, subject, registration = '', grant = '' } = caller;
    const row = await db
      .selectFrom('approval')
      .selectAll()
      // What one agent of a person may do, another one asks for itself.
      .where((where) => where.and({ tenant, subject, registration, grant, digest, task: '' }))
      .where('state', '!=', 'used')
      .where('expires_at', '>', this.#now())
      .orderBy('created_at', 'desc')
      .executeTakeFirst();
    return row && approvalOf(row);
  }

  async attach(tx: Transaction<Tables>, { tenant, id }: ApprovalKey, task: string): Promise<void> {
    await tx
      .updateTable('approval')
      .set({ task })
      .where((where) => where.and({ tenant, id }))
      .execute();
  }

  async find({ tenant, id }: ApprovalKey): Promise<Approval | undefined> {
    if (!idForm.test(id)) return undefined;
    const row = await this.#parts.store.db
      .selectFrom('approval')
      .selectAll()
      .where((where) => where.and({ tenant, id }))
      .where('expires_at', '>', this.#now())
      .executeTakeFirst();
    return row && approvalOf(row, await this.acts.find(row, row.digest));
  }

  /** The same for the many who may wait for one approval: they look together, after a moment again. */
  look({ tenant, id }: ApprovalKey): Promise<Approval | undefined> {
    const key = `${tenant} ${id}`;
    const known = this.#looks.get(key);
    if (known) return known;
    const look = this.find({ tenant, id });
    this.#looks.set(key, look);
    setTimeout(() => this.#looks.delete(key), lookMs).unref();
    return look;
  }

  /** Written down before it counts: nothing is done on an approval that nobody can prove. */
  async decide(
    approval: Approval,
    decision: 'approved' | 'declined',
    by: Author,
  ): Promise<boolean> {
    const { store, jobs } = this.#parts;
    const { tenant, id, subject } = approval;
    if ((await this.find(approval))?.state !== 'pending') return false;
    await this.note({ decision, way: 'page', operation: approval.operation, subject }, by);
    const now = this.#now();
    const done = await store.transaction(async (tx) => {
      const row = await tx
        .updateTable('approval')
        .set({ state: decision, expires_at: now + lifetimeMs })
        .where((where) => where.and({ tenant, id, state: 'pending' }))
        .where('expires_at', '>', now)
        .returning(['tenant', 'id', 'subject', 'registration', 'operation', 'task'])
        .executeTakeFirst();
      if (!row) return false;
      await this.#announced.decided(tx, row, decision);
      if (isTask(row)) await this.#whenDecided(tx, tenant, row.task);
      return true;
    });
    jobs.wake();
    return done;
  }

  /**
   * Forget a question of which nothing was done, by its id or the task that waits for it: whoever opens
   * its page finds it gone.
   */
  async withdraw(wanted: ApprovalKey | Pick<ApprovalRow, 'tenant' | 'task'>): Promise<void> {
    await this.#parts.store.transaction(async (tx) => {
      const row = await tx
        .deleteFrom('approval')
        .where((where) => where.and(wanted))
        .where('state', 'in', ['pending', 'approved'])
        .returning(['tenant', 'id', 'subject', 'registration', 'operation', 'state'])
        .executeTakeFirst();
      if (row?.state === 'pending') await this.#announced.expired(tx, row);
    });
  }

  /** Use an approval for one call; the same call may come again where a task is run again. */
  async take({ tenant, id }: ApprovalKey, call: TakingCall): Promise<boolean> {
    const { db } = this.#parts.store;
    const { digest, callId } = call;
    const { numUpdatedRows } = await db
      .updateTable('approval')
      .set({ state: 'used', used_by: callId })
      .where((where) => where.and({ tenant, id, digest, state: 'approved' }))
      .where('expires_at', '>', this.#now())
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return true;
    const row = await db
      .selectFrom('approval')
      .select('id')
      .where((where) => where.and({ tenant, id, digest, state: 'used', used_by: callId }))
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Take an answer that counts once; false where it has come before. */
  async takeAnswer(tenant: string, id: string, expiresAt: number): Promise<boolean> {
    const { numInsertedOrUpdatedRows = 0n } = await this.#parts.store.db
      .insertInto('used_answer')
      .values({ tenant, id, expires_at: expiresAt })
      .onConflict((conflict) => conflict.columns(['tenant', 'id']).doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows > 0n;
  }

  /** Write down what a person has decided. */
  async note({ subject, ...payload }: Decision, by: Author): Promise<void> {
    const { decision } = payload;
    const outcome = decision === 'approved' ? 'ok' : 'denied';
    const summary = `${payload.operation} was ${decision}`;
    await this.#parts.events.approvalDecided({
      ...by,
      subject,
      outcome,
      summary,
      payload,
    });
  }

  /** Forget what is too old; a task that waits for it goes on, and finds that nobody has agreed. */
  async removeExpired(): Promise<void> {
    const { store, jobs } = this.#parts;
    const now = this.#now();
    await store.transaction(async (tx) => {
      const rows = await tx
        .deleteFrom('approval')
        .where('expires_at', '<=', now)
        .returning(['tenant', 'id', 'subject', 'registration', 'operation', 'task', 'state'])
        .execute();
      for (const row of rows) {
        if (row.state !== 'pending') continue;
        await this.#announced.expired(tx, row);
        if (isTask(row)) await this.#whenDecided(tx, row.tenant, row.task);
      }
      await tx.deleteFrom('used_answer').where('expires_at', '<=', now).execute();
      await this.acts.removeExpired(tx);
    });
    jobs.wake();
  }

  async #insert(
    tx: Transaction<Tables>,
    { caller, client, operation, question, digest }: ApprovalRequest,
    task: string,
  ): Promise<Approval> {
    const now = this.#now();
    const { tenant, subject, registration = '', grant = '' } = caller;
    await requireRoom(tx, { tenant, subject, operation }, now);
    const row: ApprovalRow = {
      ...{ tenant, subject, registration, grant, client, operation, digest, task },
      summary: JSON.stringify(question()),
      id: randomBytes(24).toString('base64url'),
      state: 'pending',
      used_by: '',
      created_at: now,
      expires_at: now + lifetimeMs,
    };
    await tx.insertInto('approval').values(row).execute();
    await this.#announced.waits(tx, row);
    return approvalOf(row);
  }
}

interface TakingCall {
  readonly digest: string;
  readonly callId: string;
}

/** What is written to the audit log. */
interface Decision {
  readonly decision: 'approved' | 'declined';
  readonly way: 'form' | 'page';
  readonly operation: string;
  /** Who had asked for it. */
  readonly subject: string;
}
