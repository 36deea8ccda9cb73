import type { Problem } from '../problem.ts';

/**
 * A problem as those read it who deliver security events (RFC 8935 section 2.4): a code of its
 * registry, and the sentence. Whoever may come again later is told so by the status.
 */
export function eventError({ status, headers, members }: Problem): Problem {
  const { detail } = members as { readonly detail?: unknown };
  return {
    status,
    headers: { ...headers, 'cache-control': 'no-store' },
    members: { err: errOf(status), description: typeof detail === 'string' ? detail : '' },
  };
}

function errOf(status: number): string {
  if (status === 401) return 'authentication_failed';
  return status === 403 || status === 429 || status >= 500 ? 'access_denied' : 'invalid_request';
}
