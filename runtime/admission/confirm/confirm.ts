import type { CallContext } from '#contract/caller';
import { InputRequired } from '#contract/client';
import type { Operation } from '#contract/operation';
import type { Input, Run, Step } from '../steps/pipeline.ts';
import { callDigest } from './call-digest.ts';
import { formApproval, takesForms, useAnswer } from './confirm-form.ts';
import { type PageParts, pageApproval, requireDecider } from './confirm-page.ts';
import { type ConfirmTokens, confirmWithToken } from './confirm-token.ts';

export interface ConfirmParts extends PageParts {
  readonly tokens: ConfirmTokens;
}

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
  const { answers, approval: ofTask } = context;
  // A task that was made of an approved call; one that waited for the page has an id.
  const isApproved = ofTask?.digest === digest && ofTask.id === undefined;
  if (isApproved) return;
  const mark = answers.approval?.digest === digest ? answers.approval : undefined;
  // What comes back without the sealed mark answers no question of ours.
  if (mark?.given) return useAnswer(parts.approvals, context);
  // Whoever holds an agent that acts for nobody yet could agree to everything in its name.
  const isUnclaimed = parts.people.nobodyDecides(context.caller)?.claimUrl !== undefined;
  if (isUnclaimed) return requireDecider(parts, operation, context.caller);
  const asking = { operation, input, digest };
  const isForPage = mark?.id !== undefined || ofTask?.digest === digest;
  return isForPage || !takesForms(context)
    ? pageApproval(parts, asking, context)
    : formApproval(parts, asking, context, mark);
}
