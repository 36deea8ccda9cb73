import type { Caller } from '#contract/caller';
import type { Approval, ApprovalDesk } from '#contract/house/approval';
import type { Page, Pages } from '#contract/house/pages';
import type { ApprovalsHandlers } from '../../../generated/surfaces/approvals/routes.ts';
import { askingPage, tellingPage } from './page.ts';

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

/** Whoever opened the page in a window of its own can do nothing with that window (HTML, COOP). */
const alone = { 'cross-origin-opener-policy': 'same-origin' };

/** What the routes of this surface do. */
export function createHandlers(desk: ApprovalDesk, pages: Pages): ApprovalsHandlers {
  async function find(id: string, caller: Caller): Promise<Approval | undefined> {
    const approval = await desk.find(id);
    return approval && mayDecide(caller, approval) ? approval : undefined;
  }

  const told = <Status extends number>(status: Status, page: Page) => {
    const { headers, body } = pages.show(page);
    return { status, headers: { ...headers, ...alone }, body };
  };

  return {
    async showApproval({ parameters: { id }, context: { caller } }) {
      const approval = await find(id, caller);
      if (!approval) return told(404, gone);
      if (approval.state !== 'pending') return told(200, over[approval.state]);
      return told(200, askingPage(approval, pages.form({ path: pathOf(id), caller })));
    },
    async decideApproval({ parameters: { id }, body, context: { caller, http } }) {
      const { token, decision } = body;
      if (!pages.accepts({ path: pathOf(id), caller }, token, http)) return told(403, foreign);
      const approval = await find(id, caller);
      if (!approval) return told(404, gone);
      if (await desk.decide(approval, decision, caller)) return told(200, over[decision]);
      const now = await find(id, caller);
      return told(409, over[now?.state ?? 'pending']);
    },
  };
}

function pathOf(id: string): string {
  return `/approvals/${id}`;
}

/**
 * Only the person for whom an agent acts may decide. With SERVICE_AUTH=local whoever reaches the
 * loopback interface is the operator, also an agent that can open pages there. With `required` a
 * browser brings no token, so that nobody may: this is where who has signed in is to be compared.
 */
function mayDecide({ tenant, subject, scopes }: Caller, approval: Approval): boolean {
  return tenant === approval.tenant && (scopes === 'all' || subject === approval.subject);
}
