import { isObject } from '#contract/json';
import { kindOf } from './text-claim.ts';

/** The hash of a key (RFC 7638): SHA-256 in base64url, as members of `cnf` carry it. */
const thumbprint = /^[\w-]{43}$/;

/**
 * The key that somebody else bound a token to (RFC 7800 section 3.1, RFC 9449 section 6.1), as its
 * thumbprint. What cannot be checked here must not pass for a token that anybody may bring.
 *
 * @param cnf the claim as it came; `undefined` where there is none
 * @param refused makes the error out of what is wrong
 * @throws what `refused` gives, where it binds to anything but the thumbprint of a key
 */
export function boundKey(cnf: unknown, refused: (why: string) => Error): string | undefined {
  if (cnf === undefined) return undefined;
  if (!isObject(cnf)) {
    throw refused(`its cnf must be an object with the text jkt, not ${kindOf(cnf)}`);
  }
  const { jkt, 'x5t#S256': certificate } = cnf;
  if (certificate !== undefined) {
    throw refused('its cnf must have jkt alone: x5t#S256, a certificate, cannot be checked here');
  }
  if (typeof jkt === 'string' && thumbprint.test(jkt)) return jkt;
  const came = typeof jkt === 'string' ? 'another text' : kindOf(jkt);
  throw refused(`the jkt of its cnf must be a SHA-256 thumbprint in base64url, not ${came}`);
}
