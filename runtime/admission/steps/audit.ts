import type { CallContext } from '#contract/caller';
import { InputRequired } from '#contract/client';
import { ServiceError, ToolError, type ToolErrorCode } from '#contract/errors';
import type { AuditEvent } from '#contract/house/audit';
import { type AuditFacts, authorOf } from '#contract/house/audit-events';
import { isObject } from '#contract/json';
import type { Operation } from '#contract/operation';
import type { AuditEvents, OperationCalledPayload } from '../../../generated/audit-events.ts';
import type { Run, Step } from './pipeline.ts';

/** What admission writes, and whom it tells that something could not be written. */
export interface AuditTrail {
  readonly events: Pick<AuditEvents, 'operationCalled' | 'policyDenied'>;
  readonly onLoss: (error: unknown, operation: string) => void;
}

/**
 * Write down the calls of operations that ask for it. The outcome never holds up a call; an intent
 * does, and a call whose intent cannot be written is refused (503).
 */
export function auditCalls(trail: AuditTrail): Step {
  return <Result>(operation: Operation, next: Run<Result>): Run<Result> => {
    if (operation.audit === undefined) return next;
    return operation.audit === 'intent'
      ? withIntent(trail, operation.name, next)
      : withOutcome(trail, operation.name, next);
  };
}

function withOutcome<Result>(
  { events, onLoss }: AuditTrail,
  name: string,
  next: Run<Result>,
): Run<Result> {
  const about = aboutCallsOf(name);
  const lost = (error: unknown) => onLoss(error, name);
  return async (input, context) => {
    const end = begin(context, about);
    try {
      const result = await next(input, context);
      events.operationCalled.later(end(outcomeOf(result)), lost);
      return result;
    } catch (error) {
      // A question is no outcome: nothing was done yet, and the call comes again with the answer.
      if (!(error instanceof InputRequired)) {
        events.operationCalled.later(end(outcomeOfError(error)), lost);
      }
      throw error;
    }
  };
}

function withIntent<Result>(
  { events, onLoss }: AuditTrail,
  name: string,
  next: Run<Result>,
): Run<Result> {
  const about = aboutCallsOf(name);
  /** Never fails, because the act is done by then. */
  const write = async (facts: Facts) => {
    await events.operationCalled(facts).catch((error) => onLoss(error, name));
  };
  return async (input, context) => {
    const { seq } = await events.operationCalled(about(context, 'intent'));
    const end = begin(context, about, seq);
    try {
      const result = await next(input, context);
      await write(end(outcomeOf(result)));
      return result;
    } catch (error) {
      await write(end(outcomeOfError(error)));
      throw error;
    }
  };
}

type Facts = AuditFacts<OperationCalledPayload>;

interface Outcome {
  readonly outcome: 'ok' | 'denied' | 'failed';
  readonly error?: string;
}

/** Gives what tells the facts of one call of an operation. */
function aboutCallsOf(operation: string) {
  const summary = `${operation} was called`;
  return (
    { caller, callId }: CallContext,
    outcome: AuditEvent['outcome'],
    more?: Partial<OperationCalledPayload>,
  ): Facts => {
    const { actor, tenant } = authorOf(caller);
    const payload = { operation, transport: caller.transport, ...more };
    return { actor, tenant, outcome, correlation_id: callId, summary, payload };
  };
}

/** Gives what tells how the call ended. */
function begin(context: CallContext, about: ReturnType<typeof aboutCallsOf>, seq?: number) {
  const started = performance.now();
  return ({ outcome, error }: Outcome): Facts =>
    about(context, outcome, {
      duration_ms: Math.round(performance.now() - started),
      ...(seq !== undefined && { intent_seq: seq }),
      ...(error !== undefined && { error }),
    });
}

/** A tool may also say in its result that it failed (MCP 2026-07-28, tool execution errors). */
function outcomeOf(result: unknown): Outcome {
  return { outcome: isObject(result) && result['isError'] === true ? 'failed' : 'ok' };
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
