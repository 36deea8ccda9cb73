import { isDeepStrictEqual } from 'node:util';
import {
  type ApiOperation,
  apiOperations,
  parametersOf,
} from '../../model/schema/api-operations.ts';
import type { CuratedAuth } from '../../model/shape/curation.ts';
import { wordsOf } from '../../model/texts/names.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { type GuessedAuth, tokenOf, variableOf } from './auth-candidate.ts';
import { isCredentialName, isDemandedCredential } from './credential-names.ts';
import { demandsOf, hasNothing } from './guess-auth.ts';
import { type JoinedWay, joinedWay } from './joined-way.ts';
import { operationDemands, usualParameter } from './operation-demands.ts';

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
  /** What an operation demands, where nothing of it can be sent as it is wanted, and why not. */
  unsent(operation: ApiOperation): string | undefined;
}

type Way = Pick<JoinedWay, 'auth' | 'headers' | 'query'>;

/** Where a credential is seen by fewer others comes first. */
const places = ['header', 'cookie', 'query'];

/**
 * Find what operations demand that the usual credential does not satisfy (OpenAPI 3.1, security
 * requirement object). Where it travels as the usual one does, that is sent until the operator sets
 * another. Keys that are demanded together with it go with it, and with nothing else.
 */
export function guessOwnAuth(document: ApiDocument, id: string, guessed: GuessedAuth): OwnAuth {
  const { auth: usual, schemes: sent = [] } = guessed;
  const demands = operationDemands(document, id, guessed);
  const usualNames = new Set([...sent, usualParameter]);
  const declared = document.root.components?.['securitySchemes'] ?? {};
  const entries = new Map<string, CuratedAuth>();
  const entryOf = (names: readonly string[], way: Way, isUsual = false): CuratedAuth => {
    const key = JSON.stringify([names, way.auth]);
    const known = entries.get(key);
    if (known) return known;
    const made = ownEntry(names, way, { id, usual, isUsual, taken: [...entries.values()] });
    entries.set(key, made);
    return made;
  };
  /** The id of the usual credential, for operations that also work without it. */
  const usualAgain = (name: string): string => {
    const { id: own = name } = entryOf([name], { auth: usual });
    entries.set(JSON.stringify([[name], usual]), { id: own, ...usual, default: false });
    return own;
  };
  const waysFor = (operation: ApiOperation) => {
    const { sets, schemes } = demands.of(operation);
    const ways = sets.flatMap((names) => {
      const way = joinedWay(names, schemes, { id, usual });
      const isUsual = names.some(
        (name) => usualNames.has(name) && schemes.get(name)?.auth === way?.auth,
      );
      return way?.isWhole ? [{ names, way, isUsual }] : [];
    });
    return ways.toSorted(
      (a, b) => parts(a.way) - parts(b.way) || exposure(a.way) - exposure(b.way),
    );
  };
  let most: string | undefined;
  const usualUnknown = () => {
    most ??= mostDemanded(document);
    return most;
  };
  return {
    get entries() {
      return [...entries.values()];
    },
    of(operation) {
      const isFree = hasNothing(operation.node['security'] ?? document.root.security);
      const { sets, isSent } = demands.of(operation);
      if (sent.length > 0 && isPublic(document, operation)) return { auth: ['none'] };
      const isOptional = isSent && isFree && usual.required === true;
      if (isOptional && sent.length === 1) return { auth: [usualAgain(sent[0] ?? ''), 'none'] };
      if (sets.length === 0 || isSent) return undefined;
      const [first, ...rest] = waysFor(operation);
      if (!first) return isFree && sent.length > 0 ? { auth: ['none'] } : undefined;
      const entry = entryOf(first.names, first.way, first.isUsual);
      const others = [...new Set(rest.map(({ names }) => names.join(' and ')))].join(', ');
      // The text names the variable that the usual credential would have.
      const note = first.way.note?.replaceAll(tokenOf(id), entry.env?.[0] ?? tokenOf(id));
      const review = [note, others === '' ? '' : `it also takes ${others}`];
      const notes = review.filter(Boolean).join('; ');
      const ids = [entry.id ?? '', ...(isFree ? ['none'] : [])];
      return { auth: ids, ...(notes !== '' && { review: notes }) };
    },
    unsent(operation) {
      const isFree = hasNothing(operation.node['security'] ?? document.root.security);
      const { sets: found, isSent } = demands.of(operation);
      // Where nothing declared can be sent, nothing is usual.
      const security = operation.node['security'] ?? document.root.security;
      const sets = found.length === 0 && sent.length === 0 ? demandsOf(security) : found;
      if (isFree || isSent || sets.length === 0 || waysFor(operation).length > 0) return undefined;
      const names = toldSets(sets);
      const named = new Set(demandsOf(security).flat());
      const isNowhere = (name: string) => named.has(name) && !Object.hasOwn(declared, name);
      const isUnknown = sets.every((set) => set.some(isNowhere));
      // What most demand, where nothing is declared at all, is told once, with the credential of all.
      if (isUnknown && Object.keys(declared).length === 0 && names === usualUnknown()) {
        return undefined;
      }
      return `${names}, which ${isUnknown ? 'the description declares nowhere' : 'tools cannot send'}`;
    },
  };
}

/** What more than half of the operations demand, as it is told of one; an empty text where that is nothing. */
function mostDemanded(document: ApiDocument): string {
  const { all } = apiOperations(document);
  const told = all.map(({ node }) =>
    toldSets(demandsOf(node['security'] ?? document.root.security)),
  );
  const counts = [...Map.groupBy(told, (each) => each)];
  return counts.find(([, { length }]) => length * 2 > all.length)?.[0] ?? '';
}

function toldSets(sets: readonly (readonly string[])[]): string {
  return sets.map((set) => set.join(' and ')).join(' or ');
}

/**
 * Whether an operation says of itself that it takes no credential (OpenAPI 3.1, operation object,
 * security), and has no parameter that is one by its name.
 */
function isPublic(document: ApiDocument, operation: ApiOperation): boolean {
  const { security } = operation.node;
  if (!Array.isArray(security) || demandsOf(security).length > 0) return false;
  return !parametersOf(document, operation).some((parameter) => {
    const { in: place, name } = parameter;
    const isKey = (place === 'header' || place === 'query') && isCredentialName(name);
    return isKey || (place === 'header' && isDemandedCredential(parameter));
  });
}

function parts({ headers = {}, query = {} }: JoinedWay): number {
  return Object.keys(headers).length + Object.keys(query).length;
}

function exposure({ auth, query }: JoinedWay): number {
  return query === undefined ? places.indexOf(auth.in ?? 'header') : places.length;
}

interface Beside {
  readonly id: string;
  readonly usual: CuratedAuth;
  /** Whether it is the usual credential, with other keys beside it. */
  readonly isUsual: boolean;
  readonly taken: readonly CuratedAuth[];
}

/** An entry with an id and a variable that no other has. */
function ownEntry(
  names: readonly string[],
  { auth, headers, query }: Way,
  { id, usual, isUsual, taken }: Beside,
): CuratedAuth {
  const words = names.flatMap(wordsOf).map((word) => word.toLowerCase().replace(/[^a-z0-9]+/g, ''));
  const wanted = words.filter(Boolean).join('_') || 'other';
  const own = free(wanted, (text) => text !== 'none' && taken.every((other) => other.id !== text));
  const beside = { ...(headers && { headers }), ...(query && { query }), default: false };
  if (isUsual) return { id: own, ...auth, ...beside };
  const used = [usual, ...taken].flatMap(({ env = [] }) => env);
  const variable = free(variableOf(id, own), (text) => !used.includes(text));
  const isAlike = isDeepStrictEqual({ ...auth, env: [] }, { ...usual, env: [] });
  const env = [variable, ...(isAlike ? (usual.env ?? []) : [])];
  return { id: own, ...auth, env, ...beside };
}

function free(wanted: string, isFree: (text: string) => boolean): string {
  let text = wanted;
  for (let count = 2; !isFree(text); count += 1) text = `${wanted}_${count}`;
  return text;
}
