import type { IsLost } from '../engine/is-lost.ts';
import { leftSaleMs } from '../numbers.ts';

/** Whether whoever was at work on something when it was changed last is not any more. */
export type IsLeft = (changedAt: number) => boolean;

/** Make what knows what dead processes have left; those of whom nobody knows get some time. */
export function createIsLeft(isLost: IsLost, now: () => number): IsLeft {
  return (changedAt) => isLost(changedAt) || changedAt + leftSaleMs <= now();
}
