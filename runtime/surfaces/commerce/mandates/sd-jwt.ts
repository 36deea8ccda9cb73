import { createHash } from 'node:crypto';
import { isObject } from '#contract/json';
import { repeatedMember } from '#contract/text/repeated-member';
import { mostDisclosures } from '../numbers.ts';
import { MandateError } from './mandate-error.ts';

type Claims = Readonly<Record<string, unknown>>;

/** A token with selective disclosure (RFC 9901); nothing of it is believed yet. */
export interface SdJwt {
  /** The signed part: JWS in its compact form. */
  readonly jwt: string;
  readonly header: Claims;
  /** What was signed, as it was signed. */
  readonly signed: Claims;
  /** What was signed, with all that is disclosed in its places. */
  readonly claims: Claims;
  /** The objects and arrays of `claims` of which something is not disclosed. */
  readonly hiding: ReadonlySet<object>;
  /** A proof of whoever holds it, which stands behind it (RFC 9901, KB-JWT). */
  readonly proof: string | undefined;
  /** All but that proof, as hashes of it are made. */
  readonly text: string;
}

/** How many levels claims may have. */
const mostLevels = 30;

/**
 * Read a token and put what is disclosed where it belongs (RFC 9901, section 7.1).
 *
 * @throws MandateError where it is none, or discloses what nobody has signed
 */
export function readSdJwt(text: string): SdJwt {
  const [jwt = '', ...parts] = text.split('~');
  const last = parts.at(-1) ?? '';
  const hasProof = last.includes('.');
  const disclosures = parts.filter(
    (part, index) => part !== '' && !(hasProof && index === parts.length - 1),
  );
  if (disclosures.length > mostDisclosures) throw malformed('it discloses too much');
  const { header, claims } = readJwt(jwt);
  const algorithm = claims['_sd_alg'] ?? 'sha-256';
  if (algorithm !== 'sha-256') throw malformed('only sha-256 is known as _sd_alg');
  return {
    ...{ jwt, header, signed: claims, ...disclosed(claims, disclosures) },
    proof: hasProof ? last : undefined,
    text: [jwt, ...disclosures, ''].join('~'),
  };
}

/** Head and claims of a token whose signature was not looked at. */
export function readJwt(jwt: string): { readonly header: Claims; readonly claims: Claims } {
  const [head = '', body = '', signature = '', ...more] = jwt.split('.');
  if (signature === '' || more.length > 0) throw malformed('it is no JWT');
  // Of the same bytes other letters could be made (RFC 4648, section 3.5).
  if (![head, body, signature].every(isCanonical)) throw malformed('it is no base64url');
  return { header: objectIn(head), claims: objectIn(body) };
}

/** base64url of the SHA-256 of a text: how tokens name each other, and what they disclose. */
export function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

function disclosed(
  claims: Claims,
  disclosures: readonly string[],
): Pick<SdJwt, 'claims' | 'hiding'> {
  const byDigest = new Map(disclosures.map((text) => [digestOf(text), text]));
  const open = new Set(byDigest.keys());
  const hiding = new Set<object>();
  if (open.size < disclosures.length) throw malformed('it discloses something twice');
  /** Each disclosure has one place. */
  const take = (digest: unknown, length: 2 | 3): readonly unknown[] | undefined => {
    const text = typeof digest === 'string' ? byDigest.get(digest) : undefined;
    if (text === undefined || typeof digest !== 'string') return undefined;
    if (!open.delete(digest)) throw malformed('a disclosure has two places');
    const parts = parsed(text);
    if (Array.isArray(parts) && parts.length === length) return parts;
    throw malformed('a disclosure is none');
  };
  const walk = (value: unknown, level: number): unknown => {
    if (level > mostLevels) throw malformed('it is nested too deeply');
    if (Array.isArray(value)) return walkMembers(value, level);
    if (!isObject(value)) return value;
    const { _sd: digests = [], ...rest } = value;
    const own = Object.entries(rest).map(
      ([name, member]) => [name, walk(member, level + 1)] as const,
    );
    if (!Array.isArray(digests)) throw malformed('_sd is no list');
    const names = new Set(Object.keys(rest));
    const found = digests.map((digest) => take(digest, 3));
    const more = found.flatMap((each) => {
      if (each === undefined) return [];
      const [, name, member] = each;
      const isName = typeof name === 'string' && name !== '_sd' && name !== '...';
      if (!isName || names.has(name))
        throw malformed('a disclosure has a name that it may not have');
      names.add(name);
      return [[name, walk(member, level + 1)] as const];
    });
    const made = Object.fromEntries([...own, ...more]);
    if (found.includes(undefined)) hiding.add(made);
    return made;
  };
  const walkMembers = (members: readonly unknown[], level: number): unknown[] => {
    const found = members.map((member) => {
      const isPlace = isObject(member) && Object.keys(member).length === 1 && '...' in member;
      return isPlace ? take(member['...'], 2) : [undefined, member];
    });
    const made = found.flatMap((each) => (each === undefined ? [] : [walk(each[1], level + 1)]));
    if (found.includes(undefined)) hiding.add(made);
    return made;
  };
  const whole = walk(claims, 0) as Claims;
  if (open.size > 0) throw malformed('it discloses what nobody has signed');
  return { claims: whole, hiding };
}

function objectIn(part: string): Claims {
  const value = parsed(part);
  if (isObject(value)) return value;
  throw malformed('it is no JWT');
}

function isCanonical(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part;
}

function parsed(part: string): unknown {
  const text = Buffer.from(part, 'base64url').toString();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  // Another reader would believe the other one (RFC 8259, section 4).
  const name = repeatedMember(text);
  if (name !== undefined) {
    throw malformed(`an object in it has ${JSON.stringify(name.slice(0, 100))} twice`);
  }
  return value;
}

function malformed(why: string): MandateError {
  return new MandateError('mandate_invalid_signature', `the mandate cannot be read: ${why}`);
}
