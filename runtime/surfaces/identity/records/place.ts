import type { Store } from '#contract/house/store';
import type { IdentityTables } from '../../../../generated/surfaces/identity/tables.ts';

/** Whose records they are, and where they lie. */
export interface Place {
  readonly store: Store<IdentityTables>;
  readonly tenant: string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
