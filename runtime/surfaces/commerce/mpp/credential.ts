import { isObject } from '#contract/json';
import { longestProof } from '../numbers.ts';
import { type Challenge, decoded, encoded } from './challenge.ts';

/** What a client answers a challenge with (draft-httpauth-payment-00, section 6). */
export interface Credential {
  readonly challenge: Challenge;
  /** What the method of the challenge asks for; nothing of it was looked at. */
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Read one, whether it came in a header or in JSON-RPC; nothing where it is none. */
export function readCredential(shown: unknown): Credential | undefined {
  const value = typeof shown === 'string' ? unwrapped(shown) : shown;
  if (!isObject(value) || !isObject(value['challenge'])) return undefined;
  const challenge = readChallenge(value['challenge']);
  if (challenge === undefined) return undefined;
  const { payload } = value;
  return { challenge, payload: isObject(payload) ? payload : {} };
}

/** The decoder passes over everything else. */
const base64url = /^[A-Za-z0-9_+/-]+={0,2}$/;

function unwrapped(text: string): unknown {
  return text.length > longestProof || !base64url.test(text) ? undefined : decoded(text);
}

/** Inside of JSON-RPC the request is an object, of which the id knows the one form that all compute. */
function readChallenge(value: Record<string, unknown>): Challenge | undefined {
  const { id, realm, method, intent, request, expires, opaque } = value;
  const challenge = {
    ...{ id, realm, method, intent, expires },
    request: isObject(request) ? encoded(request) : request,
    opaque: isObject(opaque) ? encoded(opaque) : opaque,
  };
  const isRead = Object.values(challenge).every((member) => typeof member === 'string');
  return isRead ? (challenge as Challenge) : undefined;
}
