import type { House } from '#contract/house/house';

/** Whether whoever changed something at that time is dead for certain. */
export type IsLost = (changedAt: number) => boolean;

/**
 * Make what knows whose process is gone. Only one process has an SQLite database: what was changed
 * before it began is nobody's. Of other replicas nobody knows.
 */
export function createIsLost({ store, now }: Pick<House, 'store' | 'now'>): IsLost {
  const startedAt = now();
  const isAlone = store.engine === 'sqlite';
  return (changedAt) => isAlone && changedAt < startedAt;
}
