import type { CallContext } from '#contract/caller';
import { ToolError } from '#contract/errors';
import type { Question } from '#contract/house/approval';
import type { JsonSchema } from '#contract/json';
import type { Operation, WholeInput } from '#contract/operation';
import type { Tool, ToolDefinition } from '#contract/tool';
import type { Input, Run } from '../steps/pipeline.ts';
import type { Approvals } from './approvals.ts';
import { callDigest } from './call-digest.ts';
import { questionOf, questionText } from './question.ts';

/** Seals a token for one call, and opens it: `RequestStates` does. */
export interface ConfirmTokens {
  seal(digest: string, caller: CallContext['caller']): string;
  open(
    token: string,
    digest: string,
    caller: CallContext['caller'],
  ): { readonly id: string; readonly expires: number } | undefined;
}

interface TokenParts {
  readonly approvals: Approvals;
  readonly tokens: ConfirmTokens;
}

const argument = 'confirm_token';
const mostRepeated = 4000;

/** A tool that is confirmed by a token takes it as one more argument. */
export function withConfirmToken(definition: ToolDefinition): ToolDefinition {
  if (definition.confirm !== 'token') return definition;
  return { ...definition, input: withToken(definition.input) };
}

/** What its arguments are held to takes it as well. */
export function wholeWithToken({ definition, wholeInput }: Tool): WholeInput | undefined {
  if (definition.confirm !== 'token' || !wholeInput) return wholeInput;
  return async () => {
    const whole = await wholeInput();
    return whole && withToken(whole);
  };
}

function withToken(input: JsonSchema): JsonSchema {
  const description =
    'Leave it out at first; then repeat the call with the token that the first answer gives';
  const token = { type: 'string', maxLength: 2000, description };
  return { ...input, properties: { ...(input['properties'] as object), [argument]: token } };
}

/**
 * Let a call run when it comes a second time, with the token that its first answer gave: whoever
 * calls has read what will be done. The server asks nobody else.
 */
export function confirmWithToken<Result>(
  { approvals, tokens }: TokenParts,
  operation: Operation,
  next: Run<Result>,
): Run<Result> {
  return async ({ [argument]: token, ...input }: Input, context) => {
    const { caller, approval: ofTask, answers } = context;
    const digest = callDigest(operation.name, input, caller);
    if (ofTask?.digest === digest) return next(input, context);
    const opened = token === undefined ? undefined : tokens.open(String(token), digest, caller);
    if (!opened) {
      const earlier = await approvals.acts.find(caller, digest);
      const text = questionText(operation.name, shownToModel(operation, input), earlier);
      throw tokenRequired(text, tokens.seal(digest, caller), token);
    }
    // A question in between comes back with the same token, once.
    const id = `${opened.id}/${answers.round}`;
    if (await approvals.takeAnswer(caller.tenant, id, opened.expires)) return next(input, context);
    const message = 'this confirm_token was used already; call without it to get another one';
    throw new ToolError('confirmation_required', message);
  };
}

function tokenRequired(question: string, confirmToken: string, given: unknown): ToolError {
  const why = given === undefined ? '' : 'The confirm_token is not one of this call. ';
  const message = `${why}${question}\nIf that is what was meant, repeat the call with confirm_token: ${confirmToken}`;
  return new ToolError('confirmation_required', message, { confirmToken });
}

/** Whoever repeats the call has its arguments: long ones are not sent back. */
function shownToModel(operation: Operation, input: Input): Question {
  const { length } = JSON.stringify(input);
  if (length <= mostRepeated) return questionOf(operation, input);
  const value = `as they were sent, ${length} characters`;
  return { ...questionOf(operation, {}), arguments: [{ name: 'all arguments', value }] };
}
