import type { Hex } from 'viem';

/** What is to be sent from the account that pays the gas. */
export interface Outgoing {
  readonly to: Hex;
  readonly data: Hex;
  /** The account that has to send it, where not any of them may. */
  readonly from?: Hex;
}
