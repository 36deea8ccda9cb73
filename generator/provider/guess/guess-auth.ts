import { isObject } from '#contract/json';
import {
  type ApiOperation,
  ApiOperations,
  parametersOf,
} from '../../model/schema/api-operations.ts';
import type { CuratedAuth } from '../../model/shape/curation.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { isCredentialName } from './credential-names.ts';

/** A way to authenticate, and what a person should know who settles it. */
export interface GuessedAuth {
  readonly auth: CuratedAuth;
  readonly review: string;
}

interface Candidate {
  /** As the description calls it. */
  readonly title: string;
  readonly auth: CuratedAuth;
  /** Operations that take it. */
  readonly votes: number;
  readonly note?: string;
}

type Node = Readonly<Record<string, unknown>>;

/**
 * The way to authenticate that most operations take; of equals the one whose credential is in no
 * address. Where no scheme is declared, a header that is a credential by its name.
 */
export function guessAuth(document: ApiDocument, id: string): GuessedAuth {
  const env = [`SERVICE_${id.toUpperCase()}_TOKEN`];
  const { all } = new ApiOperations(document);
  const declared = declaredSchemes(document, all, env);
  const candidates = declared.length > 0 ? declared : headerParameters(document, all, env);
  const [first, ...others] = candidates.toSorted(
    (a, b) => b.votes - a.votes || exposure(a.auth) - exposure(b.auth),
  );
  if (!first) return { auth: { type: 'none' }, review: 'the description names no credential' };
  const { auth, note } = first;
  const offered = others.map(({ title }) => title).join(', ');
  const notes = [
    note ?? 'how the credential travels',
    ...(offered === '' ? [] : [`the description also offers ${offered}`]),
  ];
  return { auth, review: notes.join('; ') };
}

/** How easily a credential is seen by others: addresses stand in logs. */
function exposure({ in: place }: CuratedAuth): number {
  return ['header', 'cookie', 'query'].indexOf(place ?? 'header');
}

function declaredSchemes(
  { root }: ApiDocument,
  operations: readonly ApiOperation[],
  env: readonly string[],
): Candidate[] {
  const demanded = (root.security ?? []).flatMap((entry) => Object.keys(entry));
  const votes = new Map(demanded.map((name) => [name, 1]));
  for (const { node } of operations) {
    const own = Array.isArray(node['security']) ? node['security'] : (root.security ?? []);
    const names = own.flatMap((entry: unknown) => (isObject(entry) ? Object.keys(entry) : []));
    for (const name of new Set(names)) votes.set(name, (votes.get(name) ?? 0) + 1);
  }
  const schemes = Object.entries(root.components?.['securitySchemes'] ?? {});
  return schemes.flatMap(([title, scheme]) => {
    const read = isObject(scheme) ? readScheme(scheme, env) : undefined;
    return read ? [{ title, votes: votes.get(title) ?? 0, ...read }] : [];
  });
}

function readScheme(
  scheme: Node,
  env: readonly string[],
): Pick<Candidate, 'auth' | 'note'> | undefined {
  switch (scheme['type']) {
    case 'http':
      return httpScheme(String(scheme['scheme']).toLowerCase(), env);
    case 'apiKey': {
      const place = scheme['in'];
      if (place !== 'header' && place !== 'query' && place !== 'cookie') return undefined;
      return keyIn(place, String(scheme['name']), scheme['description'], env);
    }
    case 'oauth2':
    case 'openIdConnect':
      return { auth: { type: 'bearer', env, required: true } };
    default:
      return undefined;
  }
}

function httpScheme(scheme: string, env: readonly string[]) {
  if (scheme === 'bearer') return { auth: { type: 'bearer', env, required: true } };
  if (scheme !== 'basic') return undefined;
  const auth: CuratedAuth = { type: 'basic', format: '{token}', env, required: true };
  return { auth, note: `${env[0]} holds user:password; some vendors take a key as either of them` };
}

/** A key, with the word before it where the text shows one (`Authorization: Token ...`). */
function keyIn(
  place: 'header' | 'query' | 'cookie',
  name: string,
  text: unknown,
  env: readonly string[],
): Pick<Candidate, 'auth' | 'note'> {
  const isScheme = place === 'header' && name.toLowerCase() === 'authorization';
  const prefix = isScheme ? prefixIn(String(text ?? '')) : undefined;
  const format = prefix === undefined ? '{token}' : `${prefix} {token}`;
  const auth: CuratedAuth = { type: 'api_key', in: place, name, format, env, required: true };
  if (!isScheme) return { auth };
  const note =
    prefix === undefined
      ? 'where the vendor wants a word before the key, such as Bearer, write it into format'
      : `the text of the description says ${prefix}`;
  return { auth, note };
}

/** The scheme in an example of the header (RFC 9110 section 11.4). */
function prefixIn(text: string): string | undefined {
  const shown = /Authorization["'`]*\s*[:=]\s*["'`]*([A-Za-z][\w-]{1,30})\s+[^\s,.;]/i.exec(text);
  return shown?.[1] ?? /["'`](Bearer|Token|Basic) [<{[$]?\w/i.exec(text)?.[1];
}

/** Headers that most operations demand and that carry a credential by their names. */
function headerParameters(
  document: ApiDocument,
  operations: readonly ApiOperation[],
  env: readonly string[],
): Candidate[] {
  const found = new Map<string, { votes: number; name: string; text: unknown }>();
  for (const operation of operations) {
    for (const { in: place, name, required, node } of parametersOf(document, operation)) {
      if (place !== 'header' || !required || !isCredentialName(name)) continue;
      const known = found.get(name.toLowerCase()) ?? {
        ...{ votes: 0, name },
        text: node['description'] ?? node['example'],
      };
      found.set(name.toLowerCase(), { ...known, votes: known.votes + 1 });
    }
  }
  return [...found.values()]
    .filter(({ votes }) => votes * 2 > operations.length)
    .map(({ votes, name, text }) => ({ title: name, votes, ...keyIn('header', name, text, env) }));
}
