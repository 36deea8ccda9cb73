import type { Caller } from '../caller.ts';

/** Where an approval stands; one that has expired is gone. */
export type ApprovalState = 'pending' | 'approved' | 'declined' | 'used';

/** One call that a person has to agree to, as the page shows it. */
export interface Approval {
  readonly tenant: string;
  /** Unguessable: whoever knows it may open the page. */
  readonly id: string;
  readonly subject: string;
  /** What the client says of itself. */
  readonly client: string;
  readonly operation: string;
  /** What will be done, bounded and cleaned, without secrets. */
  readonly summary: string;
  readonly state: ApprovalState;
  readonly expiresAt: number;
}

/** What the page does with approvals. */
export interface ApprovalDesk {
  find(id: string): Promise<Approval | undefined>;
  /** False where somebody has decided already, or where it has expired. */
  decide(approval: Approval, decision: 'approved' | 'declined', by: Caller): Promise<boolean>;
}
