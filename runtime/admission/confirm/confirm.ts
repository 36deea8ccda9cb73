import type { CallContext } from '#contract/caller';
import { type FormElicitation, InputRequired, lackedFor } from '#contract/client';
import { ToolError } from '#contract/errors';
import { isObject } from '#contract/json';
import type { Operation } from '#contract/operation';
import type { Input, Run, Step } from '../steps/pipeline.ts';
import type { Approvals } from './approvals.ts';
import { callDigest } from './call-digest.ts';
import { type Asking, declined, type PageParts, pageApproval } from './confirm-page.ts';
import { type ConfirmTokens, confirmWithToken } from './confirm-token.ts';
import { questionOf, questionText } from './question.ts';

export interface ConfirmParts extends PageParts {
  readonly tokens: ConfirmTokens;
}

/** Name under which the client's answer comes back. */
const key = 'approval';
/** A client that accepts forms without filling them is not asked for ever. */
const mostAsked = 3;
/** Clients show forms in small windows; what is longer stands on the page, which scrolls. */
const mostInForm = 4000;

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
  const asking = { operation, input, digest };
  const takesForms = !lackedFor(
    { method: 'elicitation/create', params: formOf('') },
    client.capabilities,
  );
  const isForPage = mark?.id !== undefined || ofTask?.digest === digest;
  if (!takesForms || isForPage) return pageApproval(parts, asking, context);
  const decision = mark && decisionIn(answers.responses[key]);
  if (decision === undefined) return askInForm(parts, asking, context, mark?.asked ?? 0);
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

/** Show the form; on the page, what no form can show whole, or this client does not fill. */
async function askInForm(
  parts: ConfirmParts,
  asking: Asking,
  context: CallContext,
  asked: number,
): Promise<void> {
  const { operation, input, digest } = asking;
  const { caller, answers } = context;
  if (asked >= mostAsked) {
    const why = `the client has accepted the form ${mostAsked} times without its field "approve"`;
    return pageApproval(parts, asking, context, why);
  }
  const isTerminal = caller.transport === 'cli';
  const earlier = isTerminal ? undefined : await parts.approvals.acts.find(caller, digest);
  const text = questionText(operation.name, questionOf(operation, input), earlier);
  // A terminal scrolls.
  if (text.length > mostInForm && !isTerminal) {
    const why = `a form shows ${mostInForm} characters, and this call has ${text.length} to show`;
    return pageApproval(parts, asking, context, why);
  }
  const requests = { [key]: { method: 'elicitation/create', params: formOf(text) } } as const;
  throw new InputRequired(requests, answers.state, { digest, given: false, asked: asked + 1 });
}

function formOf(message: string): FormElicitation {
  const approve = { type: 'boolean', title: 'Approve', description: 'Do it', default: false };
  return {
    message,
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
