import type { CallContext, Caller } from '#contract/caller';
import { InputRequired } from '#contract/client';
import { ServiceError, ToolError, type ToolErrorCode } from '#contract/errors';
import type { RecurringAppend } from '#contract/house/audit';
import { type AuditFacts, authorOf } from '#contract/house/audit-events';
import { isObject } from '#contract/json';
import type { Operation } from '#contract/operation';
import type { HouseEvents, OperationCalledPayload } from '../../../generated/audit-events.ts';
import { clock } from '../../process/clock.ts';
import type { Run, Step } from './pipeline.ts';

/** What admission writes, and whom it tells that something could not be written. */
export interface AuditTrail {
  readonly events: Pick<HouseEvents, 'operationCalled' | 'policyDenied'>;
  readonly onLoss: (error: unknown, operation: string) => void;
}

/**
 * Write down the calls of operations that ask for it. The outcome never holds up a call; an intent
 * does, and a call whose intent cannot be written is refused (503).
 */
export function auditCalls(trail: AuditTrail): Step {
  const prepared = new PreparedEntries(trail);
  return <Result>(operation: Operation, next: Run<Result>): Run<Result> => {
    if (operation.audit === undefined) return next;
    return operation.audit === 'intent'
      ? withIntent(trail, operation.name, next)
      : withOutcome(prepared, operation.name, next);
  };
}

function withOutcome<Result>(
  prepared: PreparedEntries,
  name: string,
  next: Run<Result>,
): Run<Result> {
  let last: { caller: Caller; outcome: Outcome; append: RecurringAppend } | undefined;
  const note = ({ caller, callId }: CallContext, outcome: Outcome, started: number) => {
    if (last === undefined || last.caller !== caller || last.outcome !== outcome) {
      last = { caller, outcome, append: prepared.of(name, caller, outcome) };
    }
    last.append(callId, Math.round(clock.now() - started));
  };
  return async (input, context) => {
    const started = clock.now();
    try {
      const result = await next(input, context);
      note(context, outcomeOf(result), started);
      return result;
    } catch (error) {
      // A question is no outcome: nothing was done yet, and the call comes again with the answer.
      if (!(error instanceof InputRequired)) note(context, outcomeOfError(error), started);
      throw error;
    }
  };
}

/** Kept prepared at most: an entry of about a kilobyte for each operation, caller and outcome. */
const mostPrepared = 1000;

/** Most entries differ from one before in nothing but the id of the call and its duration. */
class PreparedEntries {
  readonly #trail: AuditTrail;
  readonly #entries = new Map<string, RecurringAppend>();

  constructor(trail: AuditTrail) {
    this.#trail = trail;
  }

  /** What writes that a call of this operation by this caller had this outcome. */
  of(operation: string, caller: Caller, { outcome, error }: Outcome): RecurringAppend {
    const facts = { ...about(operation, caller, { error }), outcome };
    const key = JSON.stringify(facts);
    const known = this.#entries.get(key);
    if (known !== undefined) return known;
    if (this.#entries.size >= mostPrepared) this.#entries.clear();
    const { events, onLoss } = this.#trail;
    const lost = (problem: unknown) => onLoss(problem, operation);
    const append = events.operationCalled.recurring(facts, 'duration_ms', lost);
    this.#entries.set(key, append);
    return append;
  }
}

function withIntent<Result>(
  { events, onLoss }: AuditTrail,
  name: string,
  next: Run<Result>,
): Run<Result> {
  /** Never fails, because the act is done by then. */
  const write = async (facts: Facts) => {
    await events.operationCalled(facts).catch((error) => onLoss(error, name));
  };
  return async (input, context) => {
    const { caller, callId: correlation_id } = context;
    const intent = { ...about(name, caller), outcome: 'intent', correlation_id } as const;
    const { seq: intent_seq } = await events.operationCalled(intent);
    const started = clock.now();
    const end = ({ outcome, error }: Outcome) => {
      const duration_ms = Math.round(clock.now() - started);
      const facts = about(name, caller, { duration_ms, intent_seq, error });
      return write({ ...facts, outcome, correlation_id });
    };
    try {
      const result = await next(input, context);
      await end(outcomeOf(result));
      return result;
    } catch (error) {
      await end(outcomeOfError(error));
      throw error;
    }
  };
}

type Facts = AuditFacts<OperationCalledPayload>;

interface Outcome {
  readonly outcome: 'ok' | 'denied' | 'failed';
  readonly error?: string;
}

interface More extends Pick<OperationCalledPayload, 'duration_ms' | 'intent_seq'> {
  readonly error?: string | undefined;
}

/** The facts of a call, without what became of it. */
function about(operation: string, caller: Caller, { error, ...more }: More = {}): Facts {
  const payload = {
    operation,
    transport: caller.transport,
    ...more,
    ...(error !== undefined && { error }),
  };
  return { ...authorOf(caller), summary: `${operation} was called`, payload };
}

const ok: Outcome = { outcome: 'ok' };
const failed: Outcome = { outcome: 'failed' };

/** A tool may also say in its result that it failed (MCP 2026-07-28, tool execution errors). */
function outcomeOf(result: unknown): Outcome {
  return isObject(result) && result['isError'] === true ? failed : ok;
}

const denials: ReadonlySet<ToolErrorCode> = new Set([
  'unauthorized',
  'forbidden',
  'payment_required',
  'confirmation_required',
]);

function outcomeOfError(error: unknown): Outcome {
  // An intent is on disk, and this is what came of it.
  if (error instanceof InputRequired) return { outcome: 'denied', error: 'input_required' };
  if (error instanceof ToolError) {
    return { outcome: denials.has(error.code) ? 'denied' : 'failed', error: error.code };
  }
  if (!(error instanceof ServiceError)) return { outcome: 'failed', error: 'internal' };
  const denied = error.status === 401 || error.status === 403;
  return { outcome: denied ? 'denied' : 'failed', error: error.code };
}
