import type { CallContext } from '#contract/caller';
import { type FormElicitation, InputRequired, lackedFor } from '#contract/client';
import { ToolError } from '#contract/errors';
import { isObject } from '#contract/json';
import type { Operation } from '#contract/operation';
import type { Input, Run, Step } from '../steps/pipeline.ts';
import type { Approvals } from './approvals.ts';
import { callDigest } from './call-digest.ts';
import { declined, type PageParts, pageApproval } from './confirm-page.ts';
import { type ConfirmTokens, confirmWithToken } from './confirm-token.ts';
import { summaryOf } from './summary.ts';

export interface ConfirmParts extends PageParts {
  readonly tokens: ConfirmTokens;
}

/** Name under which the client's answer comes back. */
const key = 'approval';

/** Let what needs it run only after somebody has agreed to this very call of it. */
export function confirmCalls(parts: ConfirmParts): Step {
  return <Result>(operation: Operation, next: Run<Result>): Run<Result> => {
    const { confirm } = operation;
    if (confirm === undefined) return next;
    const confirmed = confirm === 'token' ? confirmWithToken : confirmByPerson;
    return confirmed(parts, operation, next);
  };
}

function confirmByPerson<Result>(
  parts: ConfirmParts,
  operation: Operation,
  next: Run<Result>,
): Run<Result> {
  return async (input, context) => {
    const digest = callDigest(operation.name, input, context.caller);
    await requireApproval(parts, operation, input, context, digest);
    try {
      return await next(input, context);
    } catch (error) {
      if (!(error instanceof InputRequired) || error.approval) throw error;
      // What is asked after that comes back to an operation that is approved.
      throw new InputRequired(error.requests, error.state, { digest, given: true });
    }
  };
}

/** Come back where the call is approved; else ask, or say why it cannot run. */
async function requireApproval(
  parts: ConfirmParts,
  operation: Operation,
  input: Input,
  context: CallContext,
  digest: string,
): Promise<void> {
  const { answers, approval: ofTask, client } = context;
  // A task that was made of an approved call; one that waited for the page has an id.
  const isApproved = ofTask?.digest === digest && ofTask.id === undefined;
  if (isApproved) return;
  const mark = answers.approval?.digest === digest ? answers.approval : undefined;
  // What comes back without the sealed mark answers no question of ours.
  if (mark?.given) return useAnswer(parts.approvals, context);
  const form = formFor(operation, input);
  const takesForms = !lackedFor(
    { method: 'elicitation/create', params: form },
    client.capabilities,
  );
  const isForPage = mark?.id !== undefined || ofTask?.digest === digest;
  if (!takesForms || isForPage) return pageApproval(parts, { operation, input, digest }, context);
  const decision = mark && decisionIn(answers.responses[key]);
  if (decision === undefined) {
    const requests = { [key]: { method: 'elicitation/create', params: form } } as const;
    throw new InputRequired(requests, answers.state, { digest, given: false });
  }
  await useAnswer(parts.approvals, context);
  const { caller } = context;
  const { subject } = caller;
  await parts.approvals.note({ decision, way: 'form', operation: operation.name, subject }, caller);
  if (decision === 'declined') throw declined(operation);
}

/** What must not run twice must not be approved twice with one answer. */
async function useAnswer(
  approvals: Approvals,
  { caller, answers: { stateId, stateExpires = 0 } }: CallContext,
): Promise<void> {
  // Nobody outside can repeat an answer that a task has kept, or that was given at a terminal.
  if (stateId === undefined) return;
  if (await approvals.takeAnswer(caller.tenant, stateId, stateExpires)) return;
  const message = 'this approval was used already; call again without it to ask anew';
  throw new ToolError('confirmation_required', message);
}

function formFor(operation: Operation, input: Input): FormElicitation {
  const approve = { type: 'boolean', title: 'Approve', description: 'Do it', default: false };
  return {
    message: summaryOf(operation, input),
    requestedSchema: { type: 'object', properties: { approve }, required: ['approve'] },
  };
}

/** Nothing where the answer is none: then it is asked again. */
function decisionIn(answer: unknown): 'approved' | 'declined' | undefined {
  if (!isObject(answer)) return undefined;
  const { action, content } = answer;
  if (action === 'decline' || action === 'cancel') return 'declined';
  const approve = action === 'accept' && isObject(content) ? content['approve'] : undefined;
  if (typeof approve !== 'boolean') return undefined;
  return approve ? 'approved' : 'declined';
}
