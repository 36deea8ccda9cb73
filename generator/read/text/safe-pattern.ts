import isSafe from 'safe-regex2';
import { isAmbiguous } from './pattern-ambiguity.ts';

const verdicts = new Map<string, boolean>();

/** Whether a pattern is a regular expression that cannot be made to run for ages. */
export function isSafePattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false;
  let verdict = verdicts.get(pattern);
  if (verdict === undefined) {
    verdict = compiles(pattern) && (isSafe(pattern) ? !isAmbiguous(pattern) : isKnownSafe(pattern));
    verdicts.set(pattern, verdict);
  }
  return verdict;
}

/** What only the closer look finds safe has to be one for validators that are stricter than this server. */
function isKnownSafe(pattern: string): boolean {
  return compiles(pattern, 'u') && isAmbiguous(pattern) === false;
}

function compiles(pattern: string, flags = ''): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
