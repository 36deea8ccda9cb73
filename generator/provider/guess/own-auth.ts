import { isDeepStrictEqual } from 'node:util';
import { type ApiOperation, parametersOf } from '../../model/schema/api-operations.ts';
import type { CuratedAuth } from '../../model/shape/curation.ts';
import { wordsOf } from '../../model/texts/names.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { type GuessedAuth, variableOf } from './auth-candidate.ts';
import { isCredentialName } from './credential-names.ts';
import { demandsOf, hasNothing, readSchemes } from './guess-auth.ts';
import type { ReadScheme } from './security-schemes.ts';

/** What an operation takes instead of the usual credential. */
export interface OperationAuth {
  /** An id of an entry; with `none` what also works without, and that alone what is public. */
  readonly auth: readonly string[];
  readonly review?: string;
}

/** The credentials of operations that do not take the usual one. */
export interface OwnAuth {
  readonly entries: readonly CuratedAuth[];
  of(operation: ApiOperation): OperationAuth | undefined;
}

/** Where a credential is seen by fewer others comes first. */
const places = ['header', 'cookie', 'query'];

/**
 * Find what operations demand that the usual credential does not satisfy (OpenAPI 3.1, security
 * requirement object). Where it travels as the usual one does, that is sent until the operator sets
 * another.
 */
export function guessOwnAuth(
  document: ApiDocument,
  id: string,
  { auth: usual, schemes: sent = [] }: GuessedAuth,
): OwnAuth {
  const schemes = readSchemes(document, id);
  const entries = new Map<string, CuratedAuth>();
  const entryOf = (name: string, scheme: ReadScheme): CuratedAuth => {
    const known = entries.get(name);
    if (known) return known;
    const made = ownEntry(name, scheme, { id, usual, taken: [...entries.values()] });
    entries.set(name, made);
    return made;
  };
  /** The id of the usual credential, for operations that also work without it. */
  const usualAgain = (name: string): string => {
    const { id: own = name } = entryOf(name, { auth: usual });
    entries.set(name, { id: own, ...usual, default: false });
    return own;
  };
  return {
    get entries() {
      return [...entries.values()];
    },
    of(operation) {
      const security = operation.node['security'] ?? document.root.security;
      const demands = demandsOf(security);
      const isFree = hasNothing(security);
      const isSent = demands.some((set) => set.every((name) => sent.includes(name)));
      if (sent.length === 0) return undefined;
      if (isPublic(document, operation)) return { auth: ['none'] };
      const isOptional = isSent && isFree && usual.required === true;
      if (isOptional && sent.length === 1) return { auth: [usualAgain(sent[0] ?? ''), 'none'] };
      if (demands.length === 0 || isSent) return undefined;
      const single = demands.flatMap(([name = '', ...others]) => {
        const scheme = others.length === 0 ? schemes.get(name) : undefined;
        return scheme ? [{ name, scheme }] : [];
      });
      const [first, ...rest] = single.toSorted((a, b) => exposure(a.scheme) - exposure(b.scheme));
      if (!first) return isFree ? { auth: ['none'] } : undefined;
      const entry = entryOf(first.name, first.scheme);
      const others = [...new Set(rest.map(({ name }) => name))].join(', ');
      const review = [first.scheme.note, others === '' ? '' : `it also takes ${others}`];
      const notes = review.filter(Boolean).join('; ');
      const ids = [entry.id ?? first.name, ...(isFree ? ['none'] : [])];
      return { auth: ids, ...(notes !== '' && { review: notes }) };
    },
  };
}

/**
 * Whether an operation says of itself that it takes no credential (OpenAPI 3.1, operation object,
 * security), and has no parameter that is one by its name.
 */
function isPublic(document: ApiDocument, operation: ApiOperation): boolean {
  const { security } = operation.node;
  if (!Array.isArray(security) || demandsOf(security).length > 0) return false;
  return !parametersOf(document, operation).some(
    ({ in: place, name }) => (place === 'header' || place === 'query') && isCredentialName(name),
  );
}

function exposure({ auth }: ReadScheme): number {
  return places.indexOf(auth.in ?? 'header');
}

interface Beside {
  readonly id: string;
  readonly usual: CuratedAuth;
  readonly taken: readonly CuratedAuth[];
}

/** An entry with an id and a variable that no other has. */
function ownEntry(name: string, { auth }: ReadScheme, { id, usual, taken }: Beside): CuratedAuth {
  const words = wordsOf(name).map((word) => word.toLowerCase().replace(/[^a-z0-9]+/g, ''));
  const wanted = words.filter(Boolean).join('_') || 'other';
  const own = free(wanted, (text) => text !== 'none' && taken.every((other) => other.id !== text));
  const used = [usual, ...taken].flatMap(({ env = [] }) => env);
  const variable = free(variableOf(id, own), (text) => !used.includes(text));
  const isAlike = isDeepStrictEqual({ ...auth, env: [] }, { ...usual, env: [] });
  const env = [variable, ...(isAlike ? (usual.env ?? []) : [])];
  return { id: own, ...auth, env, default: false };
}

function free(wanted: string, isFree: (text: string) => boolean): string {
  let text = wanted;
  for (let count = 2; !isFree(text); count += 1) text = `${wanted}_${count}`;
  return text;
}
