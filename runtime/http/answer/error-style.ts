import type { ErrorStyle } from '#contract/surface/route';
import type { BoundRoute } from '#contract/surface/surface';
import { type Problem, problemType } from '../problem.ts';
import { acpError, ucpError } from './checkout-error.ts';
import { eventError } from './event-error.ts';
import { agentError, oauthError } from './oauth-error.ts';
import { reasonError } from './reason-error.ts';

const tellers: Readonly<Record<ErrorStyle, (told: Problem) => Problem>> = {
  oauth: oauthError,
  agent: agentError,
  reason: reasonError,
  event: eventError,
  acp: acpError,
  ucp: ucpError,
};

/** A problem in the words of whoever reads it, with its media type. */
export interface ToldProblem extends Problem {
  readonly type: string;
}

/** Tell of a problem in a style; without one, as a problem document (RFC 9457). */
export function toldIn(style: ErrorStyle | undefined, told: Problem): ToldProblem {
  if (style === undefined) return { ...told, type: problemType };
  return { ...tellers[style](told), type: 'application/json' };
}

/**
 * Make what says how errors are told where no route is: as all routes do whose paths begin with the same
 * segment. Clients of a protocol read its errors alone, also of paths that it does not have.
 */
export function styleFinder(
  routes: readonly BoundRoute[],
): (path: string) => ErrorStyle | undefined {
  const styles = new Map<string, ErrorStyle | undefined>();
  for (const { route } of routes) {
    const segment = firstOf(route.path);
    const isKnown = styles.has(segment) && styles.get(segment) !== route.errors;
    styles.set(segment, isKnown ? undefined : route.errors);
  }
  return (path) => styles.get(firstOf(path));
}

function firstOf(path: string): string {
  const end = path.indexOf('/', 1);
  return end < 0 ? path : path.slice(0, end);
}
