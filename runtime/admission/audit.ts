import { authorOf } from '#contract/audit-events';
import type { CallContext } from '#contract/caller';
import { InputRequired } from '#contract/client';
import { ServiceError, ToolError, type ToolErrorCode } from '#contract/errors';
import { isObject } from '#contract/json';
import type { Operation } from '#contract/operation';
import type { AuditEvents } from '../../generated/audit-events.ts';
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

function withOutcome<Result>(trail: AuditTrail, name: string, next: Run<Result>): Run<Result> {
  return async (input, context) => {
    const end = begin(trail, name, context);
    try {
      const result = await next(input, context);
      void end(outcomeOf(result));
      return result;
    } catch (error) {
      // Nothing was done yet: the call comes again with the answer.
      if (!(error instanceof InputRequired)) void end(outcomeOfError(error));
      throw error;
    }
  };
}

function withIntent<Result>(trail: AuditTrail, name: string, next: Run<Result>): Run<Result> {
  return async (input, context) => {
    const intent = await trail.events.operationCalled({
      ...factsOf(name, context),
      outcome: 'intent',
      payload: payloadOf(name, context),
    });
    const end = begin(trail, name, context, intent.seq);
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

interface Outcome {
  readonly outcome: 'ok' | 'denied' | 'failed';
  readonly error?: string;
}

/** Gives what writes the outcome; it never fails, because the act is done by then. */
function begin({ events, onLoss }: AuditTrail, name: string, context: CallContext, seq?: number) {
  const started = performance.now();
  return async ({ outcome, error }: Outcome): Promise<void> => {
    const payload = {
      ...payloadOf(name, context),
      duration_ms: Math.round(performance.now() - started),
      ...(seq !== undefined && { intent_seq: seq }),
      ...(error !== undefined && { error }),
    };
    try {
      await events.operationCalled({ ...factsOf(name, context), outcome, payload });
    } catch (loss) {
      onLoss(loss, name);
    }
  };
}

function factsOf(name: string, { caller, callId }: CallContext) {
  return { ...authorOf(caller), correlation_id: callId, summary: `${name} was called` };
}

function payloadOf(operation: string, { caller }: CallContext) {
  return { operation, transport: caller.transport };
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
