import type { OperationNature } from '../operation-nature.ts';
import { toldFirst } from './told-summary.ts';
import { isMaking } from './verbs.ts';
import { verbsOf } from './verbs-of.ts';

/**
 * Whether to ask for the next page of what is answered would do again what has been done: some vendors
 * answer with the first page of all that there is. A POST of which nothing is known may be a search.
 */
export function doesAgain({
  called,
  reads,
  destroys,
  overwrites,
}: Pick<OperationNature, 'called' | 'reads' | 'destroys' | 'overwrites'>): boolean {
  if (reads) return false;
  if (called.method !== 'POST' || destroys || overwrites) return true;
  const [first = '', , , told = ''] = verbsOf(called, toldFirst(called.node));
  return isMaking(first) || isMaking(told);
}
