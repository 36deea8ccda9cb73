import { setTimeout as sleep } from 'node:timers/promises';
import type { CallContext } from '#contract/caller';
import { InputRequired, lackedFor } from '#contract/client';
import { ToolError } from '#contract/errors';
import type { Approval } from '#contract/house/approval';
import type { Operation } from '#contract/operation';
import type { Input } from '../steps/pipeline.ts';
import type { Approvals } from './approvals.ts';
import { plain, summaryOf } from './summary.ts';

export interface PageParts {
  readonly approvals: Approvals;
  /** The page that asks for an approval; nothing where this process serves none. */
  readonly pageOf: (id: string) => string | undefined;
  /** How long a call waits for a person who has opened the page. */
  readonly patienceMs: number;
}

interface Asked {
  readonly operation: Operation;
  readonly input: Input;
  readonly digest: string;
}

const key = 'page';
const lookMs = 250;

/** Ask on a page: by an address that the client opens, by a task that waits, or by an error. */
export async function pageApproval(
  parts: PageParts,
  asked: Asked,
  context: CallContext,
): Promise<void> {
  const { answers, approval: ofTask, caller, client, defer } = context;
  const { digest, operation } = asked;
  if (ofTask?.digest === digest && ofTask.id !== undefined) {
    return forTask(parts, asked, context, ofTask.id);
  }
  const mark = answers.approval?.digest === digest ? answers.approval : undefined;
  if (mark?.id !== undefined) return opened(parts, asked, context, mark.id);
  const opensPages = !lackedFor(pageRequest('', ''), client.capabilities);
  requirePage(parts);
  const request = { ...aboutCall(asked, context), caller };
  if (defer && !opensPages) {
    const approval = await parts.approvals.requestForTask(request);
    const statusMessage = `waiting for a person's approval at ${urlOf(parts, approval)}`;
    return defer(operation, asked.input, { digest, id: approval.id, statusMessage });
  }
  const approval = await parts.approvals.request(request);
  if (approval.state !== 'pending' || !opensPages) return settle(parts, asked, context, approval);
  const url = urlOf(parts, approval);
  const requests = { [key]: pageRequest(url, `${operation.name} needs your approval.`) };
  throw new InputRequired(requests, answers.state, { digest, given: false, id: approval.id });
}

/** A task begins its work once somebody has decided, or nobody has in time. */
async function forTask(
  { approvals }: PageParts,
  { operation, digest }: Asked,
  { caller: { tenant }, callId }: CallContext,
  id: string,
): Promise<void> {
  if (await approvals.take({ tenant, id }, { digest, callId })) return;
  const approval = await approvals.find(id);
  throw approval?.state === 'declined' ? declined(operation) : expired(operation);
}

/** The client says that its user opens the page, or does not. */
async function opened(
  parts: PageParts,
  asked: Asked,
  context: CallContext,
  id: string,
): Promise<void> {
  const { approvals, patienceMs } = parts;
  const { caller, answers, signal } = context;
  let approval = await approvals.find(id);
  if (!approval) throw expired(asked.operation);
  const action = answers.responses[key]?.['action'];
  if (action === 'decline' || action === 'cancel') {
    await approvals.decide(approval, 'declined', caller);
    throw declined(asked.operation);
  }
  const end = performance.now() + patienceMs;
  while (approval.state === 'pending' && performance.now() < end) {
    await sleep(lookMs, undefined, { signal });
    approval = await approvals.find(id);
    if (!approval) throw expired(asked.operation);
  }
  return settle(parts, asked, context, approval);
}

/** Use the approval, or say where it can be given. */
async function settle(
  parts: PageParts,
  { operation, digest }: Asked,
  { callId }: CallContext,
  approval: Approval,
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
      const message = `${operation.name} needs the approval of a person at ${approvalUrl}; after that, make the same call again within 10 minutes`;
      throw new ToolError('confirmation_required', message, { approvalUrl });
    }
  }
}

function aboutCall({ operation, input, digest }: Asked, { client }: CallContext) {
  const name = plain([client.name ?? 'a client without a name', client.version].join(' '), 100);
  return { client: name, operation: operation.name, summary: summaryOf(operation, input), digest };
}

function pageRequest(url: string, message: string) {
  return { method: 'elicitation/create', params: { mode: 'url', url, message } } as const;
}

function requirePage({ pageOf }: PageParts): void {
  if (pageOf('') !== undefined) return;
  const message =
    'this needs the approval of a person, and there is no page to ask on; use a client that declares elicitation';
  throw new ToolError('confirmation_required', message);
}

function urlOf({ pageOf }: PageParts, { id }: Approval): string {
  return pageOf(id) ?? '';
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
