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
  /** What it has to be a mandate for. */
  readonly kind: 'checkout' | 'payment';
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
/** Lists of which what does not matter may stay untold (AP2 0.2, selectively disclosable). */
const mayHide: ReadonlySet<string> = new Set(['allowed', 'acceptable_items']);

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
  if (!isIssued(first)) throw invalid('the first mandate is of another type');
  const kid = typeof first.header['kid'] === 'string' ? first.header['kid'] : '';
  let key = await rules.trusted(kid);
  if (key === undefined) {
    const message = 'the mandate is signed with a key of nobody whose mandates are taken here';
    throw new MandateError('agent_missing_key', message);
  }
  const open: OpenMandate[] = [];
  let before: SdJwt | undefined;
  for (const token of tokens.slice(0, -1)) {
    await requireLink(token, key, before, rules);
    const isCredential = before === undefined && isCredentialOf(token);
    const found = isCredential ? undefined : openIn(token, rules);
    if (found !== undefined) open.push(found);
    key = keyIn(found?.claims ?? token.claims);
    if (key === undefined) throw invalid('a mandate names no key for the next one');
    before = token;
  }
  const last = tokens.at(-1) ?? first;
  await requireLink(last, key, before, rules);
  if (before !== undefined) requireAudience(last.claims['aud'], rules.audiences);
  const closed = mandateIn(last, `mandate.${rules.kind}.1`);
  requireEnd([last.claims, closed], rules.now, mandateLifeMs);
  await requireProof(last, keyIn(closed) ?? keyIn(last.claims), rules);
  return {
    ...{ closed, open, kid, reference: digestOf(last.text) },
    before: tokens.slice(0, -1).map(({ text: each }) => digestOf(each)),
    root: open[0]?.id ?? idOf(last),
  };
}

/** A token is signed with the key that the one before names, over that one, and good now. */
async function requireLink(
  token: SdJwt,
  key: JWK,
  before: SdJwt | undefined,
  { now }: MandateRules,
): Promise<void> {
  await requireSignature(token.jwt, key);
  if (before !== undefined) requireBinding(token, before);
  requireTime(token.claims, now);
}

/** What somebody allows who is not there any more. */
function openIn(token: SdJwt, { kind, now }: MandateRules): OpenMandate {
  const claims = mandateIn(token, `mandate.${kind}.open.1`);
  const all = [token.claims, claims];
  // It is known for so long what it was shown for.
  requireEnd(all, now, latestMandateMs);
  return { claims, id: idOf(token), hasEnd: all.some(({ exp }) => typeof exp === 'number') };
}

/**
 * By what a mandate is known when it is shown again. Its signature is left out: of one by an elliptic
 * curve anybody can make a second one that is as good.
 */
function idOf({ jwt }: SdJwt): string {
  return digestOf(jwt.slice(0, jwt.lastIndexOf('.')));
}

/** Somebody has issued it, who is bound to nothing before it (RFC 9901, explicit typing). */
function isIssued({ header: { typ } }: SdJwt): boolean {
  return typeof typ === 'string' && /(^|\+)sd-jwt$/.test(typ) && !hopTypes.has(typ);
}

/**
 * A credential of a person may stand before the mandates that were made with it (AP2 0.2, user
 * credential). It delegates nothing and says openly what it is; the rest of it is of no interest.
 */
function isCredentialOf({ signed, claims }: SdJwt): boolean {
  const { vct } = signed;
  const isOther = typeof vct === 'string' && !/mandate/i.test(vct);
  return isOther && claims['delegate_payload'] === undefined && claims['constraints'] === undefined;
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

/** The mandate that a token delegates, or that it is itself, where it is of a type and whole. */
function mandateIn({ claims, hiding }: SdJwt, type: string): Claims {
  const { delegate_payload: delegated, ...beside } = claims;
  const listed = Array.isArray(delegated) ? delegated.filter(isObject) : [];
  const all = delegated === undefined ? [claims] : listed;
  const [mandate] = all;
  if (mandate === undefined || all.length > 1) {
    throw invalid('one mandate has to be disclosed in each token, and no more');
  }
  if (mandate['vct'] !== type) throw invalid(`it is no ${type}`);
  // What is delegated besides is for others; what stands beside it is said of this mandate too.
  if (hiding.has(claims)) throw notTold();
  requireWhole(beside, hiding);
  requireWhole(mandate, hiding);
  return mandate;
}

function notTold(): MandateError {
  return new MandateError('unresolved_constraint', 'a part of the mandate is not disclosed');
}

/** What is not told could forbid it. */
function requireWhole(value: unknown, hiding: ReadonlySet<object>, name = ''): void {
  if (typeof value !== 'object' || value === null) return;
  if (hiding.has(value) && !(Array.isArray(value) && mayHide.has(name))) {
    throw notTold();
  }
  for (const [key, member] of Object.entries(value)) {
    requireWhole(member, hiding, Array.isArray(value) ? '' : key);
  }
}

function requireBinding({ header, claims }: SdJwt, before: SdJwt): void {
  if (!hopTypes.has(header['typ'])) throw invalid('a mandate of the chain has another type');
  const { sd_hash: hash, issuer_jwt_hash: jwtHash, nonce, iat } = claims;
  const isBound =
    hash === undefined ? jwtHash === digestOf(before.jwt) : hash === digestOf(before.text);
  if (!isBound || (hash !== undefined && jwtHash !== undefined)) {
    throw new MandateError('mandate_invalid_signature', 'a mandate is bound to another one');
  }
  if (typeof iat !== 'number' || typeof nonce !== 'string') throw invalid('a mandate has no nonce');
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
  requireEnd([claims], now, mandateLifeMs);
}

function requireAudience(aud: unknown, audiences: readonly string[]): void {
  if (typeof aud === 'string' && audiences.includes(aud)) return;
  const message = `the mandate is not for ${audiences[0]}`;
  throw new MandateError('mandate_scope_mismatch', message);
}

/** What nobody has given an end, or a time from which one is counted, would be good for ever. */
function requireEnd(all: readonly Claims[], now: number, lifeMs: number): void {
  for (const claims of all) requireTime(claims, now);
  const ends = all.flatMap(({ exp }) => (typeof exp === 'number' ? [exp * 1000] : []));
  if (ends.length > 0 && Math.min(...ends) <= now + latestMandateMs) return;
  if (ends.length > 0) throw invalid('the mandate ends too late');
  const begun = all.flatMap(({ iat }) => (typeof iat === 'number' ? [iat * 1000] : []));
  if (begun.length > 0 && now - Math.max(...begun) <= lifeMs) return;
  throw new MandateError('mandate_expired', 'the mandate has no end, or was made too long ago');
}

function requireTime({ exp, iat, nbf }: Claims, now: number): void {
  for (const time of [exp, iat, nbf]) {
    if (time !== undefined && typeof time !== 'number') throw invalid('a time is no number');
  }
  if (typeof exp === 'number' && exp * 1000 <= now - mandateSkewMs) {
    throw new MandateError('mandate_expired', 'the mandate has expired');
  }
  const begins = Math.max(Number(iat ?? 0), Number(nbf ?? 0)) * 1000;
  if (begins > now + mandateSkewMs) throw invalid('the mandate begins later');
}

function keyIn({ cnf }: Claims): JWK | undefined {
  const key = isObject(cnf) ? cnf['jwk'] : undefined;
  return isObject(key) ? (key as JWK) : undefined;
}

function invalid(message: string): MandateError {
  return new MandateError('invalid_mandate', message);
}
