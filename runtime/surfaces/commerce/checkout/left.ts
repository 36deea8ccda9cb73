import type { House } from '#contract/house/house';
import { leftSaleMs } from '../numbers.ts';

/** Whether whoever was at work on something when it was changed last is not any more. */
export type IsLeft = (changedAt: number) => boolean;

/**
 * Make what knows what dead processes have left. Only one process has an SQLite database: what was
 * changed before it began is nobody's. Of other replicas nobody knows; they get some time.
 */
export function createIsLeft({ store, now }: Pick<House, 'store' | 'now'>): IsLeft {
  const startedAt = now();
  const isAlone = store.engine === 'sqlite';
  return (changedAt) => (isAlone && changedAt < startedAt) || changedAt + leftSaleMs <= now();
}
