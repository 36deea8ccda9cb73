import { isObject } from '#contract/json';
import type { ApiOperation } from '../../model/schema/api-operations.ts';
import type { CuratedAuth, CuratedOperation, Curation } from '../../model/shape/curation.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { readSchemes } from '../guess/guess-auth.ts';
import type { Told } from './drift-change.ts';

type Forms = Pick<Way, 'forms'>;
type Side = readonly [ApiDocument, ApiOperation];

/** One way to authenticate: where what it takes travels, and the scopes that it wants. */
interface Way {
  readonly forms: readonly string[];
  /** Of what stands in the header for credentials: whether it is a token behind `Bearer`. */
  readonly kinds: readonly string[];
  readonly scopes: readonly string[];
}

/**
 * What the credential of an operation has become (OpenAPI 3.1, security requirement object). What
 * its description said all along is no news, even where the curation does otherwise.
 */
export function securityChanges(
  curation: Curation,
  curated: CuratedOperation,
  [before, after]: readonly [Side, Side],
): readonly Told[] {
  const now = waysOf(after, curation.provider);
  const known = isKnown(before[0]) ? waysOf(before, curation.provider) : undefined;
  const pointer = pointerOf(after[1]);
  if (isFree(now)) return known && !isFree(known) && saysFree(after) ? [freed(pointer)] : [];
  const sent = sentBy(curation, curated);
  const beside = { kind: 'altered', pointer, breaks: true, curated: true } as const;
  const expected = [...new Set(now.map(({ forms }) => forms.join(' with ')))].join(' or ');
  const taken = now.filter(({ forms }) => forms.every((form) => sent.forms.has(form)));
  if (taken.length === 0) {
    if (known && isSame(known, now)) return [];
    const [own] = [[...sent.names].join(' or ')];
    const instead = own === '' ? 'but none is sent' : `not as ${own}`;
    const text = `credential is expected as ${expected}, ${instead} (auth in curation.yaml)`;
    return [{ ...beside, text }];
  }
  if (sent.isOptional && (known === undefined || isFree(known))) {
    const text = `a credential is demanded now, as ${expected}; it may be left out (auth in curation.yaml)`;
    return [{ ...beside, text }];
  }
  const other = known && otherForm(known, taken, sent.kinds);
  if (other !== undefined) return [{ ...beside, text: `${other} (auth in curation.yaml)` }];
  const scopes = known ? newScopes(known, taken) : [];
  if (scopes.length === 0) return [];
  return [{ ...beside, text: `the credential needs the scope ${scopes.join(', ')} now` }];
}

function pointerOf({ node, pointer }: ApiOperation): string {
  return node['security'] === undefined ? '/security' : `${pointer}/security`;
}

/** Whether a description says anything of credentials: older ones that are kept do not. */
function isKnown({ root }: ApiDocument): boolean {
  return root.security !== undefined || root.components?.['securitySchemes'] !== undefined;
}

function isFree(ways: readonly Way[]): boolean {
  return ways.length === 0 || ways.some(({ forms }) => forms.length === 0);
}

/** Whether it is said that no credential is needed, rather than nothing of credentials. */
function saysFree([{ root }, { node }]: Side): boolean {
  return Array.isArray(node['security'] ?? root.security);
}

function freed(pointer: string): Told {
  const text = 'no credential is demanded any more (auth in curation.yaml)';
  return { kind: 'altered', text, pointer, breaks: false, curated: true };
}

function isSame(some: readonly Forms[], others: readonly Forms[]): boolean {
  const textOf = (ways: readonly Forms[]) =>
    [...new Set(ways.map(({ forms }) => forms.toSorted().join(' ')))].toSorted().join('\n');
  return textOf(some) === textOf(others);
}

/** The ways that an operation takes; where none refers to the schemes, each of them is one. */
function waysOf([document, { node }]: Side, provider: string): readonly Way[] {
  const security = node['security'] ?? document.root.security;
  const schemes = readSchemes(document, provider);
  if (!Array.isArray(security)) return [];
  return security.filter(isObject).map((entry) => ({
    forms: Object.keys(entry).map((name) => {
      const scheme = schemes.get(name);
      return scheme ? formOf(scheme.auth) : `${name}, which no text carries`;
    }),
    kinds: Object.keys(entry).flatMap((name) => schemes.get(name)?.auth.type ?? []),
    scopes: Object.values(entry).flatMap((list) => (Array.isArray(list) ? list.map(String) : [])),
  }));
}

/**
 * A key that becomes a token, or the other way round, in one and the same header: what was sent as
 * it is has a word before it now. Descriptions that said both, or neither, say nothing new.
 */
function otherForm(
  known: readonly Way[],
  taken: readonly Way[],
  sent: ReadonlySet<string>,
): string | undefined {
  const kindsOf = (ways: readonly Way[]) => new Set(ways.flatMap(({ kinds }) => kinds));
  const [before, now] = [kindsOf(known), kindsOf(taken)];
  const [kind] = ['api_key', 'bearer'].filter((one) => sent.has(one) && before.has(one));
  if (kind === undefined || sent.size > 1 || now.has(kind)) return undefined;
  const words = { api_key: 'a key as it is', bearer: 'a token behind Bearer' };
  if (kind === 'bearer' && now.has('api_key')) {
    return `credential is expected as ${words.api_key}, not as ${words.bearer}`;
  }
  return now.has('bearer')
    ? `credential is expected as ${words.bearer}, not as ${words.api_key}`
    : undefined;
}

/** Scopes that every way wants now, and that none like it wanted before. */
function newScopes(known: readonly Way[], taken: readonly Way[]): readonly string[] {
  const added = taken.map(({ forms, scopes }) => {
    const alike = known.filter((way) => isSame([way], [{ forms }]));
    if (alike.length === 0) return [];
    const had = alike.map((way) => scopes.filter((scope) => !way.scopes.includes(scope)));
    return had.toSorted((a, b) => a.length - b.length)[0] ?? [];
  });
  return added.toSorted((a, b) => a.length - b.length)[0] ?? [];
}

/** What goes out with a call, and whether the credential may be left out. */
function sentBy({ auth, headers, query }: Curation, curated: CuratedOperation) {
  const ids = curated.auth;
  const entries = auth.filter(({ id, default: usual }) =>
    ids === undefined ? usual !== false : id !== undefined && ids.includes(id),
  );
  const credentials = entries.filter(({ type }) => type !== 'none');
  const names = new Set(credentials.map(formOf));
  const isOptional =
    ids?.includes('none') === true ||
    entries.some(({ type, required }) => type === 'none' || required === false);
  // What goes with one credential alone stands in its entry.
  const all: readonly Constants[] = [
    { headers, query },
    { headers: curated.headers },
    ...credentials,
  ];
  const constants = all.flatMap(constantForms);
  const kinds = new Set<string>(credentials.map(({ type }) => type));
  return { names, isOptional, kinds, forms: new Set([...names, ...constants]) };
}

interface Constants {
  readonly headers?: object | undefined;
  readonly query?: object | undefined;
}

function constantForms({ headers, query }: Constants): string[] {
  return [
    ...Object.keys(headers ?? {}).map((name) => `header ${name.toLowerCase()}`),
    ...Object.keys(query ?? {}).map((name) => `query ${name}`),
  ];
}

/** Where a credential stands; what word comes before it is often told by nothing but prose. */
function formOf({ type, in: place = 'header', name = '' }: CuratedAuth): string {
  if (type === 'basic') return 'Basic authentication';
  if (type === 'bearer') return 'header authorization';
  return `${place} ${place === 'header' ? name.toLowerCase() : name}`;
}
