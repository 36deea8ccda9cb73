import { isObject, type JsonPath } from '#contract/json';
import { fit } from '#contract/text/fit';
import { pageMeaning } from '#contract/text/page-names';
import type { Paging } from '#contract/tool';
import { saysSomething, tellsFailure } from '../content/told-members.ts';
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
  const said = saidBeside(body, path, known, isLeft);
  if (said === undefined) return undefined;
  const told = fit(said, Math.min(mostBytes, maxBytes / 4));
  return isObject(told) ? { said: told, isCut: told !== said } : undefined;
}

/** Where an answer says how the list goes on. */
function pagePaths(paging: Paging | undefined): JsonPath[] {
  const { next, hasMore, total, pages } = paging ?? {};
  return [next, hasMore, total, pages].filter((path) => path !== undefined);
}

function saidBeside(
  body: unknown,
  [step, ...rest]: JsonPath,
  known: readonly JsonPath[],
  isLeft: (name: string) => boolean,
): Members | undefined {
  if (!isObject(body) || typeof step !== 'string') return undefined;
  const members = Object.entries(body).flatMap(([name, value]): [string, unknown][] => {
    // To assign it would give the result a prototype that the vendor has made.
    if (name === '__proto__') return [];
    const isOnWay = name === step;
    const kept = isOnWay
      ? saidBeside(value, rest, stepsBehind(known, step), isLeft)
      : ofMember(name, value, known, isLeft);
    return kept === undefined ? [] : [[name, kept]];
  });
  return members.length === 0 ? undefined : Object.fromEntries(members);
}

/** What is kept of one member. */
function ofMember(
  name: string,
  value: unknown,
  known: readonly JsonPath[],
  isLeft: (name: string) => boolean,
): unknown {
  const isKnown = known.some(([first]) => first === name) || isLeft(name);
  return isKnown || !saysSomething(value) ? failureIn(name, value) : value;
}

function stepsBehind(paths: readonly JsonPath[], step: string): JsonPath[] {
  return paths.filter(([first, second]) => first === step && second !== undefined).map(behindFirst);
}

function behindFirst([, ...rest]: JsonPath): JsonPath {
  return rest;
}

/** A member that tells of a failure, or what of an object does. */
function failureIn(name: string, value: unknown): unknown {
  if (tellsFailure(name, value)) return value;
  if (!isObject(value)) return undefined;
  const members = Object.entries(value).filter(([inner, member]) => tellsFailure(inner, member));
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
