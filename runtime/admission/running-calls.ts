import type { Caller } from '#contract/caller';
import { ServiceError, ToolError } from '#contract/errors';
import { clock } from '../process/clock.ts';
import { Line, type Place } from '../process/line.ts';
import type { Call } from './call.ts';
import type { LimitsOf } from './steps/rate-limit.ts';

/** Of all calls that may run at a time, so much in a hundred is there for one caller. */
const shareOfCaller = 50;

/** A call, and when its time is over. */
interface Timed {
  readonly call: Call;
  readonly deadline: number;
}

/**
 * The calls that are running. All have the same time, so they end in the order in which they
 * began: one timer for the oldest serves them all.
 */
export class RunningCalls {
  readonly #timeoutMs: number;
  readonly #mostOfCaller: number;
  readonly #limitsOf: LimitsOf | undefined;
  readonly #timed = new Line<Timed>();
  /** Those that may go on for as long as they like. */
  readonly #long = new Set<Call>();
  #timer: NodeJS.Timeout | undefined;
  #working = 0;
  #idle: (() => void) | undefined;

  /**
   * `most` calls may run at a time; whoever takes requests in sees to that. `limitsOf` gives what a
   * tenant is held to.
   */
  constructor(timeoutMs: number, most = Number.POSITIVE_INFINITY, limitsOf?: LimitsOf) {
    this.#limitsOf = limitsOf;
    this.#timeoutMs = timeoutMs;
    this.#mostOfCaller = Math.ceil((most * shareOfCaller) / 100);
  }

  get size(): number {
    return this.#timed.size + this.#long.size;
  }

  /** Those that have a deadline: what is long mostly waits. */
  get timed(): number {
    return this.#timed.size;
  }

  /**
   * Refuse one more call of a caller who has as many as one may have: calls that wait for slow vendors
   * must not take the place of all others. All who bring nothing along are one caller; the operator,
   * who may do everything, has no share. Of a tenant no more may run than its operator lets it.
   *
   * @throws ServiceError 429
   */
  requireRoom({ tenant, subject, client, scopes }: Caller): void {
    if (scopes === 'all') return;
    this.#requireRoomOf(tenant);
    const most = this.#mostOfCaller;
    if (this.#timed.size < most) return;
    let count = 0;
    for (const { call } of this.#timed.values) {
      const { caller } = call;
      const { subject: other } = caller;
      if (other === subject && caller.client === client && caller.tenant === tenant) count += 1;
    }
    if (count < most) return;
    const message = `at most ${most} calls of one caller may run at a time; nothing was done, try again later`;
    throw new ServiceError('too_many_calls', 429, message, { retryAfterMs: 1000 });
  }

  #requireRoomOf(tenant: string): void {
    const most = this.#limitsOf?.(tenant)?.runningCalls;
    if (most === undefined || this.#timed.size < most) return;
    let count = 0;
    for (const { call } of this.#timed.values) if (call.caller.tenant === tenant) count += 1;
    if (count < most) return;
    const message = `at most ${most} calls of this tenant may run at a time; nothing was done, try again later`;
    throw new ServiceError('too_many_calls', 429, message, { retryAfterMs: 1000 });
  }

  /** Give what `work` gives, or fail as soon as the call is aborted, even when `work` goes on. */
  settle<Result>(call: Call, work: Promise<Result>): Promise<Result> {
    let place = this.#begin(call);
    return new Promise((resolve, reject) => {
      const fail = (reason: unknown) => {
        this.#end(call, place);
        reject(reason);
      };
      const rest = (isResting: boolean) => {
        if (isResting) {
          this.#timed.remove(place);
          this.#long.add(call);
        } else if (this.#long.delete(call)) {
          place = this.#time(call);
        }
      };
      // A function that is written where it is assigned to a member is made among V8's old objects,
      // and what it knows, all of the request, would be kept until everything is collected.
      call.onAbort = fail;
      call.onRest = rest;
      work.then(
        (result) => {
          this.#leave();
          this.#end(call, place);
          resolve(result);
        },
        (reason) => {
          this.#leave();
          fail(reason);
        },
      );
    });
  }

  /**
   * Give what `work` gives once it has ended because its signal was aborted, or by itself; what is
   * long is aborted by nothing but the end of the server, or its client.
   */
  async attend<Result>(call: Call, work: Promise<Result>, isLong = false): Promise<Result> {
    if (isLong) return this.#attendLong(call, work);
    const place = this.#begin(call);
    try {
      return await work;
    } finally {
      this.#leave();
      this.#end(call, place);
    }
  }

  /** Wait until all work has ended, also that of calls that were aborted: its outcome counts. */
  async ended(): Promise<void> {
    if (this.#working === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#idle = resolve;
    await promise;
  }

  /** Stop everything that runs, because the server stops. */
  abortAll(): void {
    for (const { call } of this.#timed.values) call.abort(stopping(call));
    this.abortLong();
  }

  /** Stop what would go on for as long as the server does. */
  abortLong(): void {
    for (const call of this.#long) call.abort(stopping(call));
  }

  async #attendLong<Result>(call: Call, work: Promise<Result>): Promise<Result> {
    this.#working += 1;
    this.#long.add(call);
    try {
      return await work;
    } finally {
      this.#leave();
      this.#long.delete(call);
      call.onAbort = undefined;
    }
  }

  #begin(call: Call): Place<Timed> {
    this.#working += 1;
    return this.#time(call);
  }

  /** Count a call, and its time from now on. */
  #time(call: Call): Place<Timed> {
    this.#timer ??= this.#wakeIn(this.#timeoutMs);
    return this.#timed.add({ call, deadline: clock.now() + this.#timeoutMs });
  }

  #leave(): void {
    this.#working -= 1;
    if (this.#working === 0) this.#idle?.();
  }

  #end(call: Call, place: Place<Timed>): void {
    this.#timed.remove(place);
    // Or else the call, and with it the whole answer, would stay reachable for longer.
    call.onAbort = undefined;
    if (call.onRest === undefined) return;
    call.onRest = undefined;
    this.#long.delete(call);
  }

  #wakeIn(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#expire(), ms).unref();
  }

  #expire(): void {
    const now = clock.now();
    for (const { call, deadline } of this.#timed.values) {
      if (deadline > now) {
        this.#timer = this.#wakeIn(Math.ceil(deadline - now));
        return;
      }
      call.abort(timedOut(this.#timeoutMs, call));
    }
    this.#timer = undefined;
  }
}

/** What nobody knows of a call that was stopped after it had asked somebody else for something. */
const unknownEnd = 'what was asked for may have been done';

function stopping({ mayBeDone }: Call): Error {
  if (mayBeDone !== 'once') {
    return new ServiceError('stopping', 503, 'the server is stopping; try again later');
  }
  // Only tools of vendors leave it unknown.
  return new ToolError('upstream_error', `the server is stopping; ${unknownEnd}`, {
    ...{ retryable: false, mayBeDone: true, upstreamCode: 'stopping' },
  });
}

function timedOut(ms: number, { mayBeDone }: Call): ToolError {
  const rest = mayBeDone === undefined ? '' : `; ${unknownEnd}`;
  const message = `the call took longer than ${ms} ms and was stopped${rest}`;
  return new ToolError('upstream_timeout', message, {
    retryable: mayBeDone !== 'once',
    ...(mayBeDone !== undefined && { mayBeDone: true }),
  });
}
