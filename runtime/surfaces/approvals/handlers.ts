import type { CallContext } from '#contract/caller';
import type { Approval, ApprovalKey } from '#contract/house/approval';
import type { House } from '#contract/house/house';
import type { Page } from '#contract/house/pages';
import type { ApprovalsHandlers } from '../../../generated/surfaces/approvals/routes.ts';
import { type Decider, deciderOf } from './deciders.ts';
import { askingPage, gonePage, tellingPage } from './page.ts';

const foreign = tellingPage(
  'Not taken',
  'This answer did not come from the page. Open it again and answer there.',
);
const nobody = tellingPage(
  'Nobody can sign in here',
  'Only a person who has signed in may decide, and the operator of this server has not chosen how people sign in (SERVICE_CLAIM_AUTH).',
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
export function createHandlers({
  approvals: desk,
  pages,
  people,
}: Pick<House, 'approvals' | 'pages' | 'people'>): ApprovalsHandlers {
  const told = <Status extends number>(status: Status, page: Page) => {
    const { headers, body } = pages.show(page);
    return { status, headers: { ...headers, ...alone }, body };
  };

  /** The approval, where this person may decide about it; else what they are told. */
  async function open(wanted: ApprovalKey, decider: Decider) {
    const approval = await desk.find(wanted);
    const isOwn = approval !== undefined && (await decider.standing(approval)) === 'acts';
    return isOwn ? { approval } : { refused: told(404, gonePage(decider.email)) };
  }

  /** Who has not signed in learns nothing, not even whether there is something to decide. */
  function signIn({ tenant, id }: ApprovalKey) {
    const location = people.signInPath(pathOf(id), tenant);
    if (location === undefined) return told(403, nobody);
    return { status: 303 as const, headers: { location, 'cache-control': 'no-store' } };
  }

  const decider = (context: CallContext) => deciderOf(context, people);

  return {
    async showApproval({ parameters: { id }, context }) {
      const who = await decider(context);
      const wanted = { tenant: context.caller.tenant, id };
      if (!who) return signIn(wanted);
      const { approval, refused } = await open(wanted, who);
      if (!approval) return refused;
      if (approval.state !== 'pending') return told(200, over[approval.state]);
      return told(200, askingPage(approval, pages.form(placeOf(id, who), context.http), who.email));
    },
    async decideApproval({ parameters: { id }, body: { token, decision }, context }) {
      const who = await decider(context);
      if (!who || !pages.accepts(placeOf(id, who), token, context.http)) return told(403, foreign);
      const wanted = { tenant: context.caller.tenant, id };
      const { approval, refused } = await open(wanted, who);
      if (!approval) return refused;
      if (await desk.decide(approval, decision, who.by)) return told(200, over[decision]);
      return told(409, over[(await stateOf(wanted)) ?? 'pending']);
    },
  };

  async function stateOf(wanted: ApprovalKey): Promise<Approval['state'] | undefined> {
    return (await desk.find(wanted))?.state;
  }
}

function pathOf(id: string): string {
  return `/approvals/${id}`;
}

function placeOf(id: string, { formOf: caller }: Decider) {
  return { path: pathOf(id), caller };
}
