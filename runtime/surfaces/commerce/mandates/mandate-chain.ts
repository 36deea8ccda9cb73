import { compactVerify, importJWK, type JWK } from 'jose';
import { isObject } from '#contract/json';
import { latestMandateMs, mandateLifeMs, mandateSkewMs, mostMandateHops } from '../numbers.ts';
import { MandateError } from './mandate-error.ts';
import { digestOf, readJwt, readSdJwt, type SdJwt } from './sd-jwt.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** What somebody may do who is not told yet what exactly. */
export interface OpenMandate {
  readonly claims: Claims;
  /** base64url of the SHA-256 of what was signed, whatever signatures of it there are. */
  readonly id: string;
  /** Whether it says when it ends. */
  readonly hasEnd: boolean;
}

/** What whoever holds a key has agreed to, and what bound it before. */
export interface Mandate {
  /** The last of the chain: what is to be done. */
  readonly closed: Claims;
  /** What the closed one has to keep within, from the first on. */
  readonly open: readonly OpenMandate[];
  /** base64url of the SHA-256 of the last token, by which a receipt names it. */
  readonly reference: string;
  /** The same for each token before it, as the last one is bound to them. */
  readonly before: readonly string[];
  /** The id of the first mandate, on which all others rest. */
  readonly root: string;
  /** The key that all of it rests on. */
  readonly kid: string;
}

export interface MandateRules {
  /** A key of those whose mandates are believed; nothing where it is of nobody. */
  readonly trusted: (kid: string) => Promise<JWK | undefined>;
  /** What names this server as the one that a mandate is for. */
  readonly audiences: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

const algorithms = ['ES256', 'ES384', 'EdDSA'];
const hopTypes: ReadonlySet<unknown> = new Set([
  ...['kb+sd-jwt', 'kb-sd-jwt', 'kb+sd-jwt+kb', 'kb-sd-jwt+kb'],
]);

/**
 * Verify a chain of mandates (AP2 0.2, verification and processing rules): the first is signed by
 * somebody who is believed, each further one by the key that the one before names, over its hash.
 *
 * @throws MandateError
 */
export async function verifyMandate(text: string, rules: MandateRules): Promise<Mandate> {
  const parts = text.split('~~');
  if (parts.length > mostMandateHops) throw invalid('the chain of mandates is too long');
  // What stands before `~~` has lost the tilde at its end.
  const tokens = parts.map((part, index) =>
    readSdJwt(index < parts.length - 1 ? `${part}~` : part),
  );
  const [first] = tokens as [SdJwt];
  const kid = typeof first.header['kid'] === 'string' ? first.header['kid'] : '';
  let key = await rules.trusted(kid);
  if (key === undefined) {
    const message = 'the mandate is signed with a key of nobody whose mandates are taken here';
    throw new MandateError('agent_missing_key', message);
  }
  const mandates: OpenMandate[] = [];
  let before: SdJwt | undefined;
  for (const [index, token] of tokens.entries()) {
    await requireSignature(token.jwt, key);
    const isLast = index === tokens.length - 1;
    if (before !== undefined) requireBinding(token, before, isLast, rules);
    const mandate = mandateIn(token.claims);
    requireTime([token.claims, mandate], rules.now);
    const hasEnd = [token.claims, mandate].some(({ exp }) => typeof exp === 'number');
    mandates.push({ claims: mandate, id: idOf(token), hasEnd });
    const next = keyIn(mandate) ?? keyIn(token.claims);
    if (isLast) {
      await requireProof(token, next, rules);
      requireFresh([token.claims, mandate], rules.now, mandateLifeMs);
    } else if (next === undefined) {
      throw invalid('a mandate names no key for the next one');
    } else {
      // It is known for so long what it was shown for.
      if (isMandateType(mandate)) requireFresh([token.claims, mandate], rules.now, latestMandateMs);
      key = next;
    }
    before = token;
  }
  const closed = mandates.at(-1)?.claims ?? {};
  const last = tokens.at(-1) ?? first;
  const root = mandates.find(({ claims }) => isMandateType(claims))?.id ?? idOf(first);
  return {
    ...{ closed, open: mandates.slice(0, -1).filter(({ claims }) => isMandateType(claims)) },
    before: tokens.slice(0, -1).map(({ text: each }) => digestOf(each)),
    ...{ reference: digestOf(last.text), root, kid },
  };
}

/**
 * By what a mandate is known when it is shown again. Its signature is left out: of one by an elliptic
 * curve anybody can make a second one that is as good.
 */
function idOf({ jwt }: SdJwt): string {
  return digestOf(jwt.slice(0, jwt.lastIndexOf('.')));
}

/** A credential of a person may stand before the mandates that were made with it. */
function isMandateType({ vct }: Claims): boolean {
  return typeof vct === 'string' && vct.startsWith('mandate.');
}

/** @throws MandateError where a token is not signed with this key */
export async function requireSignature(jwt: string, key: JWK): Promise<void> {
  try {
    const { alg } = readJwt(jwt).header;
    if (typeof alg !== 'string' || !algorithms.includes(alg)) throw new Error('algorithm');
    await compactVerify(jwt, await importJWK(key, alg), { algorithms });
  } catch {
    const message = 'the signature of the mandate is not of the key that it names';
    throw new MandateError('mandate_invalid_signature', message);
  }
}

/** What is delegated, where a token does; else the token itself. */
function mandateIn(claims: Claims): Claims {
  const { delegate_payload: delegated } = claims;
  if (delegated === undefined) return claims;
  const found = Array.isArray(delegated) ? delegated.filter(isObject) : [];
  const [one] = found;
  if (one !== undefined && found.length === 1) return one;
  throw invalid('one mandate has to be disclosed in each token, and no more');
}

function requireBinding(
  { header, claims }: SdJwt,
  before: SdJwt,
  isLast: boolean,
  { audiences }: MandateRules,
): void {
  if (!hopTypes.has(header['typ'])) throw invalid('a mandate of the chain has another type');
  const { sd_hash: hash, issuer_jwt_hash: jwtHash, aud, nonce, iat } = claims;
  const isBound =
    hash === undefined ? jwtHash === digestOf(before.jwt) : hash === digestOf(before.text);
  if (!isBound || (hash !== undefined && jwtHash !== undefined)) {
    throw new MandateError('mandate_invalid_signature', 'a mandate is bound to another one');
  }
  if (typeof iat !== 'number' || typeof nonce !== 'string') throw invalid('a mandate has no nonce');
  if (isLast) requireAudience(aud, audiences);
}

/** A proof of possession, where there is one, is for this server (RFC 9901, KB-JWT). */
async function requireProof(
  { proof, text }: SdJwt,
  key: JWK | undefined,
  { audiences, now }: MandateRules,
): Promise<void> {
  if (proof === undefined && key === undefined) return;
  if (proof === undefined || key === undefined) throw invalid('its holder has to prove that it is');
  await requireSignature(proof, key);
  const { header, claims } = readJwt(proof);
  const isFor = header['typ'] === 'kb+jwt' && claims['sd_hash'] === digestOf(text);
  if (!isFor) throw invalid('the proof of its holder is for another mandate');
  requireAudience(claims['aud'], audiences);
  requireFresh([claims], now, mandateLifeMs);
}

function requireAudience(aud: unknown, audiences: readonly string[]): void {
  if (typeof aud === 'string' && audiences.includes(aud)) return;
  const message = `the mandate is not for ${audiences[0]}`;
  throw new MandateError('mandate_scope_mismatch', message);
}

/** What nobody has given an end, or a time from which one is counted, would be good for ever. */
function requireFresh(all: readonly Claims[], now: number, lifeMs: number): void {
  const ends = all.flatMap(({ exp }) => (typeof exp === 'number' ? [exp * 1000] : []));
  const begun = all.flatMap(({ iat }) => (typeof iat === 'number' ? [iat * 1000] : []));
  if (ends.length > 0) return;
  const newest = Math.max(...begun);
  if (begun.length > 0 && now - newest <= lifeMs) return;
  throw new MandateError('mandate_expired', 'the mandate has no end, or was made too long ago');
}

function requireTime(all: readonly Claims[], now: number): void {
  for (const { exp, iat, nbf } of all) {
    for (const time of [exp, iat, nbf]) {
      if (time !== undefined && typeof time !== 'number') throw invalid('a time is no number');
    }
    if (typeof exp === 'number' && exp * 1000 <= now - mandateSkewMs) {
      throw new MandateError('mandate_expired', 'the mandate has expired');
    }
    if (typeof exp === 'number' && exp * 1000 > now + latestMandateMs) {
      throw invalid('the mandate ends too late');
    }
    const begins = Math.max(Number(iat ?? 0), Number(nbf ?? 0)) * 1000;
    if (begins > now + mandateSkewMs) throw invalid('the mandate begins later');
  }
}

function keyIn({ cnf }: Claims): JWK | undefined {
  const key = isObject(cnf) ? cnf['jwk'] : undefined;
  return isObject(key) ? (key as JWK) : undefined;
}

function invalid(message: string): MandateError {
  return new MandateError('invalid_mandate', message);
}
