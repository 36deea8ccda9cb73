import type { Author } from './audit-events.ts';

/** Where an approval stands; one that has expired is gone. */
export type ApprovalState = 'pending' | 'approved' | 'declined' | 'used';

/** An argument as a person is shown it: whole, but for secrets, and with all marked that cannot be seen. */
export interface ShownArgument {
  readonly name: string;
  /** JSON in lines; only its own line breaks are some. */
  readonly value: string;
}

/** What a person is asked to agree to, ready to be shown. */
export interface Question {
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly ShownArgument[];
}

/** What became of the same call when it was approved before. */
export interface EarlierAct {
  readonly state: 'running' | 'failed' | 'done';
  /** When it began. */
  readonly at: number;
  /** How it failed, ready to be shown; third-party text. */
  readonly answer: string;
}

/** One call that a person has to agree to, as the page shows it. */
export interface Approval {
  readonly tenant: string;
  /** Unguessable: whoever knows it may open the page. */
  readonly id: string;
  readonly subject: string;
  /** The registration of the agent that asks; absent for others. */
  readonly registration?: string;
  /** The consent with which a client asks; absent for others. */
  readonly grant?: string;
  /** The same, ready to be shown. */
  readonly asker: string;
  /** What the client says of itself, ready to be shown. */
  readonly client: string;
  readonly operation: string;
  readonly question: Question;
  readonly earlier?: EarlierAct;
  readonly state: ApprovalState;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** An approval is found by its tenant alone. */
export type ApprovalKey = Pick<Approval, 'tenant' | 'id'>;

/** What the page does with approvals. */
export interface ApprovalDesk {
  find(wanted: ApprovalKey): Promise<Approval | undefined>;
  /** False where somebody has decided already, or where it has expired. */
  decide(approval: Approval, decision: 'approved' | 'declined', by: Author): Promise<boolean>;
}
