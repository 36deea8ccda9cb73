import type { Caller } from '#contract/caller';
import { ServiceError } from '#contract/errors';

export interface SessionSettings {
  /** Sessions of one caller; the process keeps ten times as many. */
  readonly limit: number;
  readonly idleMs: number;
  /** How long one stream stays open; 0 sets no end. */
  readonly streamMs: number;
}

/** As much of a session as the table has to know. */
export interface Kept {
  readonly id: string;
  readonly owner: Pick<Caller, 'tenant' | 'subject'>;
  /** Something runs in it, or its client listens. */
  readonly isBusy: boolean;
  end(): void;
}

const inAll = 10;

/** The sessions of this process by their ids, the one that was used least recently first. */
export class SessionTable<Session extends Kept> {
  readonly #settings: SessionSettings;
  readonly #now: () => number;
  readonly #sessions = new Map<string, { readonly session: Session; readonly usedAt: number }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: SessionSettings, now: () => number = () => performance.now()) {
    this.#settings = settings;
    this.#now = now;
  }

  get size(): number {
    return this.#sessions.size;
  }

  *[Symbol.iterator](): Generator<Session> {
    for (const { session } of [...this.#sessions.values()]) yield session;
  }

  /** The session of this id, as far as the caller opened it itself. */
  find(id: string, caller: Caller): Session | undefined {
    const session = this.#sessions.get(id)?.session;
    return session && isOwner(session, caller) ? session : undefined;
  }

  /**
   * Make room for one more session of `caller`: where it has as many as it may, the one goes that
   * it has not used for the longest time.
   *
   * @throws ServiceError when all of them are in use
   */
  makeRoom(caller: Caller): void {
    const own = [...this].filter((session) => isOwner(session, caller));
    if (own.length >= this.#settings.limit) {
      const idle = own.find(({ isBusy }) => !isBusy);
      if (!idle) throw tooMany(429, `one caller may have ${this.#settings.limit} sessions open`);
      this.end(idle);
    }
    const most = this.#settings.limit * inAll;
    if (this.size >= most) throw tooMany(503, `the server keeps at most ${most} sessions open`);
  }

  /** Keep a session, or note that it has been used. */
  keep(session: Session): void {
    this.#sessions.delete(session.id);
    this.#sessions.set(session.id, { session, usedAt: this.#now() });
    this.#timer ??= this.#wake();
  }

  /** Note that a session was used, unless it has ended. */
  touch(session: Session): void {
    if (this.#sessions.has(session.id)) this.keep(session);
  }

  end(session: Session): void {
    this.#sessions.delete(session.id);
    session.end();
  }

  /** End what nobody has used for too long. */
  endIdle(): void {
    const oldest = this.#now() - this.#settings.idleMs;
    for (const { session, usedAt } of [...this.#sessions.values()]) {
      if (usedAt <= oldest && !session.isBusy) this.end(session);
    }
  }

  #wake(): NodeJS.Timeout {
    return setTimeout(() => {
      this.endIdle();
      this.#timer = this.size > 0 ? this.#wake() : undefined;
    }, this.#settings.idleMs / 4).unref();
  }
}

function isOwner({ owner }: Kept, { tenant, subject }: Caller): boolean {
  return owner.tenant === tenant && owner.subject === subject;
}

function tooMany(status: number, text: string): ServiceError {
  const message = `${text}, and all of them are in use; end one or try again later`;
  return new ServiceError('too_many_sessions', status, message, { retryAfterMs: 5000 });
}
