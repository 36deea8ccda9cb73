import type { CallContext } from '#contract/caller';
import {
  type ApprovalMark,
  type FormElicitation,
  InputRequired,
  lackedFor,
} from '#contract/client';
import { ToolError } from '#contract/errors';
import { authorOf } from '#contract/house/audit-events';
import { isObject } from '#contract/json';
import type { Approvals } from './approvals.ts';
import { type Asking, declined, type PageParts, pageApproval } from './confirm-page.ts';
import { questionOf, questionText } from './question.ts';

/** Name under which the client's answer comes back. */
const key = 'approval';
/** A client that accepts forms without filling them is not asked for ever. */
const mostAsked = 3;
/** Clients show forms in small windows; what is longer stands on the page, which scrolls. */
const mostInForm = 4000;

/** Whether the client shows forms to its user. */
export function takesForms({ client }: CallContext): boolean {
  return !lackedFor({ method: 'elicitation/create', params: formOf('') }, client.capabilities);
}

/** Ask in a form of the client, and come back once it is accepted; `mark` came with the answer. */
export async function formApproval(
  parts: PageParts,
  asking: Asking,
  context: CallContext,
  mark: ApprovalMark | undefined,
): Promise<void> {
  const { approvals } = parts;
  const decision = decisionIn(context.answers.responses[key]);
  // What comes back without the sealed mark answers no question of ours.
  if (!mark || decision === undefined) return askInForm(parts, asking, context, mark?.asked);
  await useAnswer(approvals, context);
  if (decision === 'approved' && (await isOutdated(approvals, mark, context))) {
    return askInForm(parts, asking, context, mark.asked);
  }
  const { operation } = asking;
  const { caller } = context;
  const { subject } = caller;
  await approvals.note(
    { decision, way: 'form', operation: operation.name, subject },
    authorOf(caller),
  );
  if (decision === 'declined') throw declined(operation);
}

/** Whether the same call has begun since the question was asked, so that it did not say so. */
async function isOutdated(
  { acts }: Approvals,
  { digest, earlier }: ApprovalMark,
  { caller }: CallContext,
): Promise<boolean> {
  return caller.transport !== 'cli' && (await acts.find(caller, digest))?.at !== earlier;
}

/** What must not run twice must not be approved twice with one answer. */
export async function useAnswer(
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
  parts: PageParts,
  asking: Asking,
  context: CallContext,
  asked = 0,
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
  const mark = {
    ...{ digest, given: false, asked: asked + 1 },
    ...(earlier && { earlier: earlier.at }),
  };
  throw new InputRequired(requests, answers.state, mark);
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
