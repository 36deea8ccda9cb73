import type { ServiceError } from '#contract/errors';

/**
 * The headers of a refusal. A refused caller is told in WWW-Authenticate that it needs a token, or
 * which scopes it lacks (RFC 6750 section 3), unless whoever refuses has said it more exactly; no
 * token helps against any other refusal.
 */
export function headersOf(error: ServiceError): Readonly<Record<string, string>> {
  const { status, code, detail, retryAfterMs } = error;
  const wait = retryAfterMs === undefined ? {} : { 'retry-after': retryAfterOf(retryAfterMs) };
  if (error.headers) return { ...wait, ...error.headers };
  if (status === 401) return { ...wait, 'www-authenticate': 'Bearer error="invalid_token"' };
  if (code !== 'insufficient_scope') return wait;
  const scope = detail['scope'];
  const lacking = typeof scope === 'string' ? `, scope="${scope}"` : '';
  return { ...wait, 'www-authenticate': `Bearer error="insufficient_scope"${lacking}` };
}

/** Milliseconds as Retry-After gives them (RFC 9110 section 10.2.3). */
export function retryAfterOf(ms: number): string {
  return String(Math.ceil(ms / 1000));
}
