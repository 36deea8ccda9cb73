import type { CallContext, Caller } from '#contract/caller';
import type { Approval } from '#contract/house/approval';
import { type Author, authorOf } from '#contract/house/audit-events';
import type { FormPlace } from '#contract/house/pages';
import type { SignedInPeople, Standing, Visitor } from '#contract/surface/people';

/** Who has opened the page, and what they may decide. */
export interface Decider {
  /** As whom the decision is written down. */
  readonly by: Author;
  /** To whom the form of the page belongs. */
  readonly formOf: FormPlace['caller'];
  /** Absent for the operator. */
  readonly email?: string;
  standing(approval: Approval): Promise<Standing>;
}

/**
 * Find out who has opened the page: somebody who has signed in with this browser, or with
 * SERVICE_AUTH=local whoever reaches the loopback interface, who is the operator, also an agent that
 * can open pages there. A token does not count: an agent would agree to its own acts.
 */
export async function deciderOf(
  { caller, http }: Pick<CallContext, 'caller' | 'http'>,
  people: SignedInPeople,
): Promise<Decider | undefined> {
  if (caller.scopes === 'all') return operator(caller);
  const visitor = await people.visitor(http);
  return visitor && person(visitor, people);
}

function operator(caller: Caller): Decider {
  return {
    by: authorOf(caller),
    formOf: caller,
    standing: async ({ tenant }) => (tenant === caller.tenant ? 'acts' : 'foreign'),
  };
}

function person(visitor: Visitor, people: SignedInPeople): Decider {
  const { tenant, id, email, session } = visitor;
  return {
    by: { tenant, actor: { type: 'user', id } },
    formOf: { tenant, subject: session },
    email,
    standing: ({ createdAt: askedAt, ...asker }) => people.standing({ ...asker, askedAt }, visitor),
  };
}
