import type { ServiceError } from '#contract/errors';

/**
 * What a refused caller is told in WWW-Authenticate (RFC 6750 section 3): that it needs a token,
 * or which scopes it lacks; whoever refuses may say it more exactly. No token helps against any other refusal.
 */
export function challengeOf(error: ServiceError): string | undefined {
  const { status, code, detail } = error;
  if (error.challenge !== undefined) return error.challenge;
  if (status === 401) return 'Bearer error="invalid_token"';
  if (code !== 'insufficient_scope') return undefined;
  const scope = detail['scope'];
  const lacking = typeof scope === 'string' ? `, scope="${scope}"` : '';
  return `Bearer error="insufficient_scope"${lacking}`;
}

/** Milliseconds as Retry-After gives them (RFC 9110 section 10.2.3). */
export function retryAfterOf(ms: number): string {
  return String(Math.ceil(ms / 1000));
}
