import { createHmac, timingSafeEqual } from 'node:crypto';
import canonicalize from 'canonicalize';
import { isObject, type JsonObject } from '#contract/json';
import { credentialIn } from '#contract/secret-values';
import { repeatedMember } from '#contract/text/repeated-member';

/** The parameters of a challenge as they travel (draft-httpauth-payment-00, section 5). */
export interface Challenge {
  readonly id: string;
  readonly realm: string;
  readonly method: string;
  readonly intent: string;
  /** base64url of the canonical JSON of what is asked for. */
  readonly request: string;
  /** RFC 3339. */
  readonly expires: string;
  /** base64url of the canonical JSON of texts that the client gives back as they are. */
  readonly opaque: string;
}

/** A challenge before it has its id. */
export type OpenChallenge = Omit<Challenge, 'id'>;

/** JSON in the one form that both sides compute (RFC 8785), as base64url. */
export function encoded(value: object): string {
  return Buffer.from(canonicalize(value) ?? '').toString('base64url');
}

const known = new WeakMap<object, string>();

/** The same for what never changes, as an offer: found out once. */
export function encodedOnce(value: object): string {
  const before = known.get(value);
  if (before !== undefined) return before;
  const text = encoded(value);
  known.set(value, text);
  return text;
}

/** The opposite; nothing where it is no object whose members come once each. */
export function decoded(text: string): JsonObject | undefined {
  try {
    const json = Buffer.from(text, 'base64url').toString();
    const value: unknown = JSON.parse(json);
    // Readers differ in which they take of two members of one name.
    return isObject(value) && repeatedMember(json) === undefined
      ? (value as JsonObject)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Bind an id to everything that a challenge says, so that nothing of it has to be kept. */
export function challengeId(key: Uint8Array, challenge: OpenChallenge): string {
  const { realm, method, intent, request, expires, opaque } = challenge;
  // The sixth slot is that of a digest of the body, which `opaque` holds here.
  const slots = [realm, method, intent, request, expires, '', opaque];
  return createHmac('sha256', key).update(slots.join('|')).digest('base64url');
}

/**
 * A challenge under an id that nothing takes for a credential, as may happen by chance: the audit log
 * would refuse the purchase.
 *
 * @param open what the challenge says; another time it says something else, such as a nonce
 */
export function newChallenge(key: Uint8Array, open: () => OpenChallenge): Challenge {
  for (;;) {
    const said = open();
    const id = challengeId(key, said);
    if (credentialIn(id) === undefined) return { id, ...said };
  }
}

/** Whether this server has made a challenge, and nothing of it was changed. */
export function isOurs(key: Uint8Array, { id, ...open }: Challenge): boolean {
  const given = Buffer.from(id);
  const made = Buffer.from(challengeId(key, open));
  return given.length === made.length && timingSafeEqual(given, made);
}

/** The challenge as `WWW-Authenticate` says it (RFC 9110 section 11.6.1). */
export function headerOf(challenge: Challenge): string {
  const parameters = Object.entries(challenge).map(([name, value]) => `${name}="${value}"`);
  return `Payment ${parameters.join(', ')}`;
}
