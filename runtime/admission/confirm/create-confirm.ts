import type { Keys } from '#contract/house/house';
import type { SignedInPeople } from '#contract/surface/people';
import type { Tenants } from '#contract/tenant/tenants';
import type { Approvals } from './approvals.ts';
import type { ConfirmParts } from './confirm.ts';
import { confirmTokens } from './confirm-tokens.ts';
import { RequestStates } from './sealed-state.ts';

/** How long a call waits for a person who has opened the page, at most. */
const mostPatienceMs = 20_000;

export interface ConfirmHouse {
  readonly approvals: Approvals;
  readonly keys: Keys;
  readonly tenants: Tenants;
  readonly people: SignedInPeople;
  /** Deadline of one call. */
  readonly callTimeoutMs: number;
}

/** What it takes to have a person agree to a call. */
export function createConfirm(house: ConfirmHouse): ConfirmParts {
  const { approvals, keys, tenants, people, callTimeoutMs } = house;
  return {
    approvals,
    people,
    tokens: confirmTokens(new RequestStates(() => keys('confirm token'))),
    pageOf: (id, tenant) => tenants.find(tenant)?.address.of(`/approvals/${id}`),
    patienceMs: Math.min(mostPatienceMs, callTimeoutMs / 2),
  };
}
