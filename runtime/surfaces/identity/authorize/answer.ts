/** What goes back to a client with the browser (RFC 6749 section 4.1.2, RFC 9207). */
export interface Answer {
  readonly code?: string;
  readonly error?: string;
  readonly error_description?: string;
}

/**
 * The address to which the browser is sent with an answer. Parameters that the redirect has stay,
 * and `iss` says who answers, so that a client with several servers mixes none up.
 */
export function answerUrl(
  redirectUri: string,
  { answer, state, issuer }: { answer: Answer; state: string | undefined; issuer: string },
): string {
  const parameters = new URLSearchParams({ ...answer });
  if (state !== undefined) parameters.set('state', state);
  parameters.set('iss', issuer);
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${parameters}`;
}
