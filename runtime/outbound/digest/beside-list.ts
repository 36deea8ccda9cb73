import { isObject, type JsonPath, valueAt } from '#contract/json';
import { fit } from '#contract/text/fit';
import { pageMeaning } from '#contract/text/page-names';
import type { Paging } from '#contract/tool';
import { saysSomething, tellsFailure, tellsWhy } from '../content/told-members.ts';
import type { DigestPlan } from './digest-plan.ts';

type Members = Readonly<Record<string, unknown>>;

/** So many bytes of it are told with each page: it is said beside the list, and seldom the answer. */
const mostBytes = 2_000;

/** What of an answer stands beside its list and belongs to the result, and whether it is all of that. */
export interface BesideList {
  readonly said: Members;
  readonly isCut: boolean;
}

/**
 * What an answer says beside its list, and neither its description nor the way to the next page
 * knows: nobody has decided to leave that out. What is described comes too where it tells of a failure.
 */
export function besideList(
  body: unknown,
  { shape, paging, takesCursor, maxBytes }: DigestPlan,
): BesideList | undefined {
  const { items: path = [], besides = [], decode } = shape;
  const known = [...besides, ...pagePaths(paging)];
  const isPaged = takesCursor && paging !== undefined;
  // No schema describes XML as it is read: whoever named its list has seen what stands beside it.
  const isLeft = (name: string) => decode === 'xml' || (isPaged && pageMeaning(name) !== undefined);
  const found = valueAt(body, path);
  const isEmpty = Array.isArray(found) && found.length === 0;
  const tells = (name: string, value: unknown) =>
    tellsFailure(name, value) || (isEmpty && tellsWhy(name, value));
  const said = saidBeside(body, path, { known, isLeft, tells });
  if (said === undefined) return undefined;
  const told = fit(said, Math.min(mostBytes, maxBytes / 4));
  return isObject(told) ? { said: told, isCut: told !== said } : undefined;
}

/** Where an answer says how the list goes on. */
function pagePaths(paging: Paging | undefined): JsonPath[] {
  const { next, hasMore, total, pages } = paging ?? {};
  return [next, hasMore, total, pages].filter((path) => path !== undefined);
}

/** What of the members beside a list is left out, unless it tells something. */
interface Sieve {
  readonly known: readonly JsonPath[];
  readonly isLeft: (name: string) => boolean;
  readonly tells: (name: string, value: unknown) => boolean;
}

function saidBeside(body: unknown, [step, ...rest]: JsonPath, sieve: Sieve): Members | undefined {
  if (!isObject(body) || typeof step !== 'string') return undefined;
  const behind = { ...sieve, known: stepsBehind(sieve.known, step) };
  const members = Object.entries(body).flatMap(([name, value]): [string, unknown][] => {
    // To assign it would give the result a prototype that the vendor has made.
    if (name === '__proto__') return [];
    const kept = name === step ? saidBeside(value, rest, behind) : ofMember(name, value, sieve);
    return kept === undefined ? [] : [[name, kept]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** What is kept of one member. */
function ofMember(name: string, value: unknown, { known, isLeft, tells }: Sieve): unknown {
  const isKnown = known.some(([first]) => first === name) || isLeft(name);
  return isKnown || !saysSomething(value) ? toldIn(name, value, tells) : value;
}

function stepsBehind(paths: readonly JsonPath[], step: string): JsonPath[] {
  return paths.filter(([first, second]) => first === step && second !== undefined).map(behindFirst);
}

function behindFirst([, ...rest]: JsonPath): JsonPath {
  return rest;
}

/** A member that tells something, such as a failure, or what of an object does. */
function toldIn(name: string, value: unknown, tells: Sieve['tells']): unknown {
  if (tells(name, value)) return value;
  if (!isObject(value)) return undefined;
  const members = Object.entries(value).filter(([inner, member]) => tells(inner, member));
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
