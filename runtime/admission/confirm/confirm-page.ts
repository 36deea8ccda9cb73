import { setTimeout as sleep } from 'node:timers/promises';
import type { CallContext, Caller } from '#contract/caller';
import { InputRequired, lackedFor } from '#contract/client';
import { ToolError } from '#contract/errors';
import type { Approval } from '#contract/house/approval';
import { authorOf } from '#contract/house/audit-events';
import type { Operation } from '#contract/operation';
import type { SignedInPeople } from '#contract/surface/people';
import type { Input } from '../steps/pipeline.ts';
import { type Approvals, lookMs } from './approvals.ts';
import { questionOf } from './question.ts';
import { visibleLine } from './visible-text.ts';

export interface PageParts {
  readonly approvals: Approvals;
  /** The page that asks for an approval; nothing where this process serves none. */
  readonly pageOf: (id: string, tenant: string) => string | undefined;
  /** How long a call waits for a person who has opened the page. */
  readonly patienceMs: number;
  /** Says for whom no page helps. */
  readonly people: Pick<SignedInPeople, 'nobodyDecides'>;
}

/** A call that is to be approved. */
export interface Asking {
  readonly operation: Operation;
  readonly input: Input;
  readonly digest: string;
}

const key = 'page';

/**
 * Ask on a page: by an address that the client opens, by a task that waits, or by an error. `why`
 * says why it is not asked in a form that the client takes.
 */
export async function pageApproval(
  parts: PageParts,
  asking: Asking,
  context: CallContext,
  why?: string,
): Promise<void> {
  const { answers, approval: ofTask, caller, client, defer } = context;
  const { digest, operation } = asking;
  if (ofTask?.digest === digest && ofTask.id !== undefined) {
    return forTask(parts, asking, context, ofTask.id);
  }
  const mark = answers.approval?.digest === digest ? answers.approval : undefined;
  if (mark?.id !== undefined) return opened(parts, asking, context, mark.id);
  const opensPages = !lackedFor(pageRequest('', ''), client.capabilities);
  requirePage(parts, caller, why);
  requireDecider(parts, operation, caller);
  const request = { ...aboutCall(asking, context), caller };
  if (defer && !opensPages) {
    const approval = await parts.approvals.requestForTask(request);
    const statusMessage = `waiting for a person's approval at ${urlOf(parts, approval)}`;
    return defer(operation, asking.input, { digest, id: approval.id, statusMessage });
  }
  const approval = await parts.approvals.request(request);
  if (approval.state !== 'pending' || !opensPages)
    return settle(parts, asking, context, { approval, why });
  const url = urlOf(parts, approval);
  const requests = { [key]: pageRequest(url, `${operation.name} needs your approval.`) };
  throw new InputRequired(requests, answers.state, { digest, given: false, id: approval.id });
}

/** A task begins its work once somebody has decided, or nobody has in time. */
async function forTask(
  { approvals }: PageParts,
  { operation, digest }: Asking,
  { caller: { tenant }, callId }: CallContext,
  id: string,
): Promise<void> {
  if (await approvals.take({ tenant, id }, { digest, callId })) return;
  const approval = await approvals.find({ tenant, id });
  throw approval?.state === 'declined' ? declined(operation) : expired(operation);
}

/** The client says that its user opens the page, or does not. */
async function opened(
  parts: PageParts,
  asking: Asking,
  context: CallContext,
  id: string,
): Promise<void> {
  const { approvals, patienceMs } = parts;
  const { caller, answers, signal } = context;
  const wanted = { tenant: caller.tenant, id };
  let approval = await approvals.look(wanted);
  if (!approval) throw expired(asking.operation);
  const action = answers.responses[key]?.['action'];
  if (action === 'decline' || action === 'cancel') {
    await approvals.decide(approval, 'declined', authorOf(caller));
    throw declined(asking.operation);
  }
  const end = performance.now() + patienceMs;
  while (approval.state === 'pending' && performance.now() < end) {
    await sleep(lookMs, undefined, { signal });
    approval = await approvals.look(wanted);
    if (!approval) throw expired(asking.operation);
  }
  return settle(parts, asking, context, { approval });
}

/** Use the approval, or say where it can be given. */
async function settle(
  parts: PageParts,
  { operation, digest }: Asking,
  { callId }: CallContext,
  { approval, why }: { readonly approval: Approval; readonly why?: string | undefined },
): Promise<void> {
  switch (approval.state) {
    case 'approved':
      if (await parts.approvals.take(approval, { digest, callId })) return;
      throw usedUp(operation);
    case 'used':
      throw usedUp(operation);
    case 'declined':
      throw declined(operation);
    case 'pending': {
      const approvalUrl = urlOf(parts, approval);
      const lead = why === undefined ? '' : `${why}, so that it is asked on a page: `;
      const message = `${lead}${operation.name} needs the approval of a person at ${approvalUrl}; after that, make the same call again within 10 minutes`;
      throw new ToolError('confirmation_required', message, { approvalUrl });
    }
  }
}

function aboutCall({ operation, input, digest }: Asking, { client }: CallContext) {
  const name = visibleLine([client.name, client.version].filter(Boolean).join(' '), 100);
  return {
    client: name,
    operation: operation.name,
    question: () => questionOf(operation, input),
    digest,
  };
}

function pageRequest(url: string, message: string) {
  return { method: 'elicitation/create', params: { mode: 'url', url, message } } as const;
}

function requirePage({ pageOf }: PageParts, { tenant }: Caller, why?: string): void {
  if (pageOf('', tenant) !== undefined) return;
  const rest = why ?? 'use a client that declares elicitation';
  const message = `this needs the approval of a person, and there is no page to ask on; ${rest}`;
  throw new ToolError('confirmation_required', message);
}

/**
 * Refuse what no person could decide, rather than send somebody to a page that opens for nobody.
 *
 * @throws ToolError
 */
export function requireDecider(
  { people }: Pick<PageParts, 'people'>,
  { name }: Operation,
  caller: Caller,
): void {
  const nobody = people.nobodyDecides(caller);
  if (!nobody) return;
  const { why, claimUrl } = nobody;
  const message = `${name} needs the approval of a person, and nothing was done: ${why}`;
  throw new ToolError('confirmation_required', message, { claimUrl });
}

function urlOf({ pageOf }: PageParts, { id, tenant }: Approval): string {
  return pageOf(id, tenant) ?? '';
}

/** Says that somebody has refused; nothing was done. */
export function declined({ name }: Operation): ToolError {
  const message = `${name} was declined, and nothing was done; do not call it again unasked`;
  return new ToolError('confirmation_required', message);
}

function usedUp({ name }: Operation): ToolError {
  const message = `this approval of ${name} was used already; call again to ask anew`;
  return new ToolError('confirmation_required', message);
}

function expired({ name }: Operation): ToolError {
  const message = `nobody has approved ${name} in time, and nothing was done`;
  return new ToolError('confirmation_required', message);
}
