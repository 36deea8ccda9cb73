import type { Caller } from '#contract/caller';
import type { Approval, ApprovalDesk } from '#contract/house/approval';
import type { ApprovalsHandlers } from '../../../generated/surfaces/approvals/routes.ts';
import type { FormTokens } from './form-token.ts';
import { askingPage, pageHeaders, tellingPage } from './page.ts';

const headers = pageHeaders;
const gone = tellingPage('Not found', 'There is no such request for approval, or it has expired.');
const foreign = tellingPage(
  'Not taken',
  'This answer did not come from the page. Open it again and answer there.',
);
const over = {
  approved: tellingPage('Approved', 'It may be done once, within ten minutes.'),
  used: tellingPage('Approved', 'It was approved and has been done.'),
  declined: tellingPage('Declined', 'Nothing was done.'),
  pending: tellingPage('Too late', 'Nobody had decided in time. Nothing was done.'),
};

/** What the routes of this surface do. */
export function createHandlers(desk: ApprovalDesk, tokens: FormTokens): ApprovalsHandlers {
  async function find(id: string, caller: Caller): Promise<Approval | undefined> {
    const approval = await desk.find(id);
    return approval && mayDecide(caller, approval) ? approval : undefined;
  }

  return {
    async showApproval({ parameters: { id }, context: { caller } }) {
      const approval = await find(id, caller);
      if (!approval) return { status: 404, headers, body: gone };
      if (approval.state !== 'pending') {
        return { status: 200, headers, body: over[approval.state] };
      }
      const { token, cookie } = tokens.issue(id);
      const body = askingPage(approval, token);
      return { status: 200, headers: { ...headers, 'set-cookie': cookie }, body };
    },
    async decideApproval({ parameters: { id, cookie = '' }, body, context: { caller } }) {
      const form = new URLSearchParams(body);
      const decision = form.get('decision');
      const isOurs = tokens.accepts(id, form.get('token') ?? '', cookie);
      if (!isOurs || (decision !== 'approved' && decision !== 'declined')) {
        return { status: 403, headers, body: foreign };
      }
      const approval = await find(id, caller);
      if (!approval) return { status: 404, headers, body: gone };
      if (await desk.decide(approval, decision, caller)) {
        return { status: 200, headers, body: over[decision] };
      }
      const now = await find(id, caller);
      return { status: 409, headers, body: over[now?.state ?? 'pending'] };
    },
  };
}

/**
 * Only the person for whom an agent acts may decide. Until there are identities, whoever reaches
 * the loopback interface is the operator, also an agent that can open pages there; once people sign
 * in, `caller` is the user of this browser, and this is where that user is compared.
 */
function mayDecide({ tenant, subject, scopes }: Caller, approval: Approval): boolean {
  return tenant === approval.tenant && (scopes === 'all' || subject === approval.subject);
}
