import { hash } from 'node:crypto';
import type { CallContext } from '#contract/caller';
import { isObject, type Json } from '#contract/json';
import type { Workflow, WorkflowStep } from '#contract/workflow/workflow';
import type { Run } from './run-table.ts';

/** Where a run is kept. */
export interface Place {
  readonly id: string;
  /** The run that it is a step of; empty for others. */
  readonly parent: string;
}

/** What stands for the run in questions to the client. */
interface LeftState {
  readonly run: string;
  /** What the questioner inside of the step has left for itself. */
  readonly inner: Json;
}

/** The run of a call: the one that has asked the client, else one of its own, the same in each attempt. */
export function runIdOf({ definition: { name } }: Workflow, context: CallContext): string {
  const left = leftIn(context);
  if (left !== undefined) return left.run;
  const { caller, callId } = context;
  const text = JSON.stringify([caller.tenant, caller.subject, name, callId]);
  return `run_${hash('sha256', text, 'base64url')}`;
}

/**
 * The call of a step: with the answers of the client, but not with what it says of the whole call. Its id
 * is the same in each attempt, so that a vendor that takes keys does it once.
 */
export function stepContext(run: Run, step: WorkflowStep, context: CallContext): CallContext {
  const { caller, signal, stopping, client, trace, http, log, answers } = context;
  const { state: _, ...given } = answers;
  const inner = leftIn(context)?.inner ?? null;
  return reporting(context, {
    ...{ caller, signal, client },
    callId: `${run.id}.${step.id}.${run.state.visit}`,
    answers: inner === null ? given : { ...given, state: inner },
    // A step is never a task of its own.
    inTask: true,
    ...(stopping && { stopping }),
    ...(trace && { trace }),
    ...(http && { http }),
    ...(log && { log }),
  });
}

/** What comes of a step that is under way, the whole call has to tell its client. */
function reporting(whole: CallContext, part: CallContext): CallContext {
  return Object.defineProperty(part, 'mayBeDone', {
    get: () => whole.mayBeDone,
    set: (value: CallContext['mayBeDone']) => {
      whole.mayBeDone = value;
    },
  });
}

/** The same call as if the client had answered nothing yet. */
export function withoutAnswers(context: CallContext): CallContext {
  const { caller, signal, callId, client, trace, http, log, progress, inTask, approval } = context;
  const { stopping } = context;
  return reporting(context, {
    ...{ caller, signal, callId, client },
    answers: { responses: {}, round: context.answers.round },
    ...(stopping && { stopping }),
    ...(trace && { trace }),
    ...(http && { http }),
    ...(log && { log }),
    ...(progress && { progress }),
    ...(inTask && { inTask }),
    ...(approval && { approval }),
  });
}

function leftIn({ answers: { state } }: CallContext): LeftState | undefined {
  if (!isObject(state) || typeof state['run'] !== 'string') return undefined;
  return { run: state['run'], inner: (state['inner'] ?? null) as Json };
}
