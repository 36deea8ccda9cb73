import isSafe from 'safe-regex2';
import { isAmbiguous } from './pattern-ambiguity.ts';

const verdicts = new Map<string, boolean>();

/** Whether a pattern is a regular expression that cannot be made to run for ages. */
export function isSafePattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false;
  let verdict = verdicts.get(pattern);
  if (verdict === undefined) {
    verdict = compiles(pattern) && !(isAmbiguous(pattern) ?? !isSafe(pattern));
    verdicts.set(pattern, verdict);
  }
  return verdict;
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
