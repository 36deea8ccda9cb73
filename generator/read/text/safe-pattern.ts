import isSafe from 'safe-regex2';
import { compilePattern } from '#contract/schema/pattern';
import { isAmbiguous } from './pattern-ambiguity.ts';

/** Properties, codes in braces, halves of characters, and characters of more than 16 bits. */
const ofCodePoints = /\\(?:[pP]|u\{|u[dD][89a-fA-F])|[\u{10000}-\u{10ffff}]/u;
const verdicts = new Map<string, boolean>();

/** Whether a pattern is a regular expression that cannot be made to run for ages. */
export function isSafePattern(pattern: unknown): boolean {
  if (typeof pattern !== 'string') return false;
  let verdict = verdicts.get(pattern);
  if (verdict === undefined) {
    verdict =
      compiles(pattern) &&
      (isSafe(pattern) ? !isAmbiguous(pattern) : isKnownSafe(pattern)) &&
      isSafeByCodePoints(pattern);
    verdicts.set(pattern, verdict);
  }
  return verdict;
}

/** What only the closer look finds safe has to be one for validators that are stricter than this server. */
function isKnownSafe(pattern: string): boolean {
  if (!compiles(pattern, 'u')) return false;
  // Properties of characters are none without the flag, and nothing is known of what stands there.
  return /\\[pP]\{/.test(pattern) || isAmbiguous(pattern) === false;
}

/** What means something else with the flag `u` has to be known to be safe as that, too. */
function isSafeByCodePoints(pattern: string): boolean {
  return (
    !ofCodePoints.test(pattern) ||
    !compilePattern(pattern).unicode ||
    isAmbiguous(pattern, 'u') === false
  );
}

function compiles(pattern: string, flags = ''): boolean {
  try {
    new RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
