import { isObject } from '#contract/json';
import {
  type ApiOperation,
  apiOperations,
  parametersOf,
} from '../../model/schema/api-operations.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { type Candidate, type GuessedAuth, tokenOf } from './auth-candidate.ts';
import { isDemandedCredential } from './credential-names.ts';
import { joinedWay, type Schemes } from './joined-way.ts';
import { isSignature, parameterCredentials } from './parameter-credentials.ts';
import { isSeldom, type ReadScheme, readScheme } from './security-schemes.ts';
import { sentWithAll } from './sent-with-all.ts';
import { toldNeed } from './told-need.ts';

/** Ways that nearly as many operations take as take the first one. */
const nearly = 0.8;

/** What a way counts that is not meant for whoever begins. */
const seldom = 0.5;

/**
 * The way to authenticate that most operations take; of nearly equals the one with the fewest parts, then
 * the one whose credential is in no address, and a key in the place of a password. Where no scheme is
 * declared, a parameter that is a credential by its name; where there is none either, Basic where the
 * description itself lies behind it.
 */
export function guessAuth(document: ApiDocument, id: string, isBehindLogin = false): GuessedAuth {
  const [first, ...others] = inOrder(authCandidates(document, id));
  if (!first) {
    const nothing = nothingSent(document);
    if (isBehindLogin && nothing.note === undefined) return asDescription(id);
    return { auth: { type: 'none' }, ...nothing };
  }
  const { auth, query, note, schemes } = first;
  const { all } = apiOperations(document);
  const beside = auth.type === 'none' ? {} : sentWithAll(document, all, { ...first, id });
  const together = { ...first.headers, ...beside };
  const headers = Object.keys(together).length > 0 ? together : undefined;
  const isOptional = schemes !== undefined && isAlwaysOptional(document, schemes);
  const offered = others.map(({ title }) => title).join(', ');
  const notes = [
    note ?? 'how the credential travels',
    ...(isOptional ? ['the description lets it be left out'] : []),
    ...(headers !== undefined || query !== undefined
      ? ['what has to come with it stands in headers and query']
      : []),
    ...(offered === '' ? [] : [`the description also offers ${offered}`]),
  ];
  return {
    ...{ auth: isOptional ? { ...auth, required: false } : auth, review: notes.join('; ') },
    ...(headers && { headers }),
    ...(query && { query }),
    ...(schemes && { schemes }),
    ...(note !== undefined && { note }),
  };
}

/** The way in which the description was read (RFC 7617), without who read it. */
function asDescription(id: string): GuessedAuth {
  const env = [tokenOf(id)];
  const review =
    'the description names no credential, but lies behind a user and password: so may all the rest';
  const note = `${env[0]} holds user:password`;
  return { auth: { type: 'basic', format: '{token}', env, required: true }, review, note };
}

/** Why no credential goes out. */
function nothingSent(document: ApiDocument): Pick<GuessedAuth, 'review' | 'note'> {
  const schemes = Object.keys(document.root.components?.['securitySchemes'] ?? {});
  const { all } = apiOperations(document);
  const signatures = all
    .flatMap((operation) => parametersOf(document, operation))
    .filter((parameter) => isDemandedCredential(parameter) && isSignature(parameter))
    .map(({ name }) => name);
  const declared = [...new Set([...schemes, ...signatures])];
  if (declared.length === 0) {
    const demanded = all.flatMap(({ node }) =>
      demandsOf(node['security'] ?? document.root.security),
    );
    const names = [...new Set(demanded.flat())].join(', ');
    const told = names === '' ? toldNeed(document) : undefined;
    if (told !== undefined) {
      const need = `the description declares no credential, but its text speaks of one (${told}): write how it travels into auth`;
      return { review: need, note: need };
    }
    if (names === '') return { review: 'the description names no credential' };
    const unknown = `the description demands ${names} without a word on how it travels: write that into auth`;
    return { review: unknown, note: unknown };
  }
  const note = `the description names ${declared.join(', ')}, which tools cannot send: put a proxy that signs or identifies before the vendor`;
  return { review: note, note };
}

function inOrder(candidates: readonly Candidate[]): readonly Candidate[] {
  const weight = ({ votes, isSeldom, auth }: Candidate) =>
    votes * (isSeldom === true || isCookie(auth) ? seldom : 1);
  const most = Math.max(...candidates.map(weight));
  // Of what so few operations less take that one credential is better than two.
  const few = (each: Candidate) => (weight(each) >= nearly * most ? parts(each) : Infinity);
  const sorted = candidates.toSorted(
    (a, b) =>
      few(a) - few(b) || weight(b) - weight(a) || parts(a) - parts(b) || exposure(a) - exposure(b),
  );
  const [first] = sorted;
  // A key can be taken back, or hold fewer rights, without a word to whoever has the password.
  const key =
    first?.auth.type === 'basic'
      ? sorted.find((each) => each.isApiKey && weight(each) === weight(first))
      : undefined;
  return key === undefined ? sorted : [key, ...sorted.filter((each) => each !== key)];
}

/** What a text calls a key that somebody makes for a program. */
const apiKey = /\b(?:api|(?:personal )?access)[- ]?(?:key|token)s?\b/i;

/** Whether a scheme is the header of such a key (OpenAPI 3.1, security scheme object). */
function isApiKey(scheme: unknown): boolean {
  if (!isObject(scheme)) return false;
  const { type, in: place, name, description } = scheme;
  const isInHeader = type === 'apiKey' && place === 'header';
  return isInHeader && /^authorization$/i.test(String(name)) && apiKey.test(String(description));
}

/** Whether a credential is that of people who have logged in: a cookie, or a header that is called one. */
function isCookie({ in: place, name = '' }: Candidate['auth']): boolean {
  return place === 'cookie' || /cookie/i.test(name);
}

/** Whether each operation that takes the schemes also takes nothing (`{}` among its alternatives). */
function isAlwaysOptional(document: ApiDocument, schemes: readonly string[]): boolean {
  const takers = apiOperations(document)
    .all.map(({ node }) => node['security'] ?? document.root.security)
    .filter((security) =>
      demandsOf(security).some((set) => set.every((name) => schemes.includes(name))),
    );
  return takers.length > 0 && takers.every(hasNothing);
}

/** Whether nothing at all is among the alternatives (OpenAPI 3.1, security requirement object). */
export function hasNothing(security: unknown): boolean {
  return (
    Array.isArray(security) &&
    security.some((each) => isObject(each) && Object.keys(each).length === 0)
  );
}

/** The ways to authenticate that a description offers, in no order; see {@link guessAuth}. */
function authCandidates(document: ApiDocument, id: string): Candidate[] {
  const { all } = apiOperations(document);
  const env = [tokenOf(id)];
  const declared = declaredWays(document, all, id);
  return declared.length > 0 ? declared : parameterCredentials(document, all, { id, env });
}

function parts({ headers = {}, query = {} }: Candidate): number {
  return Object.keys(headers).length + Object.keys(query).length;
}

/** How easily a credential is seen by others: addresses stand in logs. */
function exposure({ auth, query }: Candidate): number {
  if (query !== undefined) return 2;
  return ['header', 'cookie', 'query'].indexOf(auth.in ?? 'header');
}

/** What is demanded together (OpenAPI 3.1, security requirement object), with the operations that take it. */
function declaredWays(
  document: ApiDocument,
  operations: readonly ApiOperation[],
  id: string,
): Candidate[] {
  const schemes = readSchemes(document, id);
  const demands = operations.map(({ node }) =>
    demandsOf(node['security'] ?? document.root.security),
  );
  const demanded = demands.filter((sets) => sets.length > 0);
  const sets = new Map<string, readonly string[]>();
  for (const set of [...demanded.flat(), ...demandsOf(document.root.security)]) {
    sets.set(set.join(' + '), set);
  }
  const named = new Set([...sets.values()].flat());
  // Some descriptions declare how one authenticates and never refer to it.
  const isSilent = demanded.length * 10 < operations.length || demanded.length === 0;
  const silent = isSilent ? operations.length - demanded.length : 0;
  for (const name of schemes.keys()) if (!named.has(name)) sets.set(name, [name]);
  const isInAddress = (name: string) => schemes.get(name)?.auth.in === 'query';
  // A key in addresses that nothing demands is no better than what something does.
  const isLesser =
    [...named].some((name) => schemes.has(name) && !isInAddress(name)) &&
    [...schemes.keys()].every((name) => named.has(name) || isInAddress(name));
  return [...sets].flatMap(([title, set]) => {
    const found = joinedWay(set, schemes, { id });
    if (!found) return [];
    const { isWhole: _, ...way } = found;
    // What only some demand with it would go out with all the others, too.
    const isThis = (alternative: readonly string[]) =>
      alternative.length === set.length && alternative.every((name) => set.includes(name));
    const votes = demanded.filter((alternatives) => alternatives.some(isThis)).length;
    const isNamed = set.some((name) => named.has(name));
    const isOdd = set.some((name) => schemes.get(name)?.isSeldom);
    const unsaid = isLesser ? 0 : silent;
    const isKey =
      set.length === 1 && isApiKey(document.root.components?.['securitySchemes']?.[title]);
    const voted = isNamed ? votes : unsaid;
    return [{ title, ...way, isSeldom: isOdd, isApiKey: isKey, schemes: set, votes: voted }];
  });
}

/** The alternatives that an operation demands one of, without the one that is nothing at all. */
export function demandsOf(security: unknown): readonly (readonly string[])[] {
  if (!Array.isArray(security)) return [];
  return security
    .filter(isObject)
    .map((entry) => Object.keys(entry).toSorted())
    .filter((names) => names.length > 0);
}

/** The security schemes of a description that a text can carry, by their names. */
export function readSchemes({ root }: ApiDocument, id: string): Schemes {
  const env = [tokenOf(id)];
  const prose = String(root.info['description'] ?? '');
  const shown = shownIn(root.paths);
  const read = new Map<string, ReadScheme>();
  for (const [title, scheme] of Object.entries(root.components?.['securitySchemes'] ?? {})) {
    const found = isObject(scheme) ? readScheme(scheme, env, [title, prose, shown]) : undefined;
    if (found) read.set(title, { ...found, isSeldom: isSeldom(title, scheme) });
  }
  return read;
}

/** A header as some vendors show it with each operation, and nowhere else. */
const shownHeader =
  /\bauthorization["'`]*\s*[:=]\s*["'`]*(?:bearer|token|basic|jwt|(?:api)?key)\s+[^\s,.;]+/i;

/** The first text of an operation that shows the header with the word before a credential. */
function shownIn(paths: unknown): string {
  for (const item of isObject(paths) ? Object.values(paths) : []) {
    for (const operation of isObject(item) ? Object.values(item) : []) {
      if (!isObject(operation) || typeof operation['description'] !== 'string') continue;
      const found = shownHeader.exec(operation['description']);
      if (found) return found[0];
    }
  }
  return '';
}
