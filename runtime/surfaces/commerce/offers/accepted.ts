import type { CardSettings } from '../card/card-settings.ts';
import type { ChainSettings } from './settings.ts';

/** What is taken here. */
export interface Accepted {
  readonly chain: ChainSettings;
  /** Absent where no cards are. */
  readonly card: CardSettings | undefined;
}

/** Whether anything can be paid at all. */
export function isAnyPayable({ chain, card }: Accepted): boolean {
  return chain.isPayable || card !== undefined;
}
