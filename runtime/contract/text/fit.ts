import { isObject } from '../json.ts';

const ellipsis = '…';
/** Every value has a form of this size: an empty list, a null, a shortened text. */
const least = 16;
const deepest = 12;

/**
 * How many bytes the JSON text of a value has. Where they are more than `atMost`, the count stops
 * at some number above it: what does not fit costs no more than what does.
 */
export function jsonBytes(value: unknown, atMost = Number.POSITIVE_INFINITY): number {
  // A UTF-16 unit needs a byte or more.
  if (typeof value === 'string' && value.length > atMost) return value.length;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value).length : 4;
  if (Array.isArray(value)) return listBytes(value, atMost);
  if (isObject(value)) return objectBytes(value, atMost);
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

function listBytes(items: readonly unknown[], atMost: number): number {
  // The bracket; each item brings a comma or, the last one, the other bracket.
  let bytes = 1;
  for (const item of items) {
    if (bytes > atMost) return bytes;
    bytes += (item === undefined ? 4 : jsonBytes(item, atMost - bytes)) + 1;
  }
  return Math.max(2, bytes);
}

function objectBytes(value: Readonly<Record<string, unknown>>, atMost: number): number {
  let bytes = 1;
  for (const name of namesOf(value)) {
    if (bytes > atMost) return bytes;
    const member = value[name];
    if (member === undefined) continue;
    bytes += jsonBytes(name, atMost - bytes) + jsonBytes(member, atMost - bytes) + 2;
  }
  return Math.max(2, bytes);
}

/** The names in large objects: to list them takes a while, and each level above asks again. */
const listed = new WeakMap<object, readonly string[]>();

function namesOf(value: object): readonly string[] {
  const known = listed.get(value);
  if (known !== undefined) return known;
  const names = Object.keys(value);
  if (names.length > 1_000) listed.set(value, names);
  return names;
}

/**
 * Make a value whose JSON text has at most `budget` bytes (16 at least): lists lose their last
 * items, and texts are shortened only where that is not enough. What fits is not copied.
 */
export function fit(value: unknown, budget: number, depth = 0): unknown {
  if (jsonBytes(value, budget) <= budget) return value;
  if (typeof value === 'string') return shorten(value, budget);
  if (depth < deepest && Array.isArray(value)) return fitList(value, budget, depth);
  if (depth < deepest && isObject(value)) return fitObject(value, budget, depth);
  return null;
}

/** Keep as many of the first items as fit; of a first item that is too large, a part. */
export function fitList(items: readonly unknown[], budget: number, depth = 0): readonly unknown[] {
  const kept: unknown[] = [];
  // Two brackets; each item brings a comma.
  let left = budget - 2;
  for (const item of items) {
    const size = jsonBytes(item, left) + 1;
    if (size > left) break;
    left -= size;
    kept.push(item);
  }
  if (kept.length > 0 || items.length === 0 || budget < least + 3) return kept;
  return [fit(items[0], budget - 3, depth + 1)];
}

interface Member {
  readonly name: string;
  readonly value: unknown;
  /** In bytes, as far as it matters: beyond the budget it is some number above it. */
  readonly size: number;
}

function fitObject(value: Record<string, unknown>, budget: number, depth: number): unknown {
  const members = namedMembers(value, budget);
  // Small ones first, so that their unused share goes to the large ones; lists last.
  const texts = members.filter((member) => !isContainer(member)).sort(bySize);
  const containers = members.filter(isContainer).sort(bySize);
  const fitted = new Map<string, unknown>();
  let left = budget - 2 - members.reduce((sum, { name }) => sum + nameBytes(name), 0);
  // What the members that are not placed yet take at the least: no share reaches into it.
  let promised = members.reduce((sum, member) => sum + leastBytes(member), 0);
  const place = (placing: Member, wanted: number) => {
    const { name, value: member, size } = placing;
    promised -= leastBytes(placing);
    const share = Math.max(leastBytes(placing), Math.min(wanted, left - promised));
    const placed = size <= share ? member : fit(member, share, depth + 1);
    left -= size <= share ? size : jsonBytes(placed);
    fitted.set(name, placed);
  };
  const reserve = Math.min(16 * least, Math.floor(left / (members.length + 1)));
  texts.forEach((member, index) => {
    place(member, Math.floor((left - reserve * containers.length) / (texts.length - index)));
  });
  containers.forEach((member, index) => {
    place(member, Math.floor(left / (containers.length - index)));
  });
  return Object.fromEntries(members.map(({ name }) => [name, fitted.get(name)]));
}

/** The first members whose names, each with the smallest value, fit. */
function namedMembers(value: Record<string, unknown>, budget: number): Member[] {
  const members: Member[] = [];
  let left = budget - 2;
  for (const name of namesOf(value)) {
    const member = value[name];
    const size = jsonBytes(member, budget);
    const named = { name, value: member, size };
    left -= jsonBytes(name, budget) + 2 + leastBytes(named);
    if (left < 0) break;
    if (member !== undefined) members.push(named);
  }
  return members;
}

/** What a member takes where it gets no more than the smallest share. */
function leastBytes({ size }: Member): number {
  return Math.min(size, least);
}

/** The name, a colon and a comma. */
function nameBytes(name: string): number {
  return jsonBytes(name) + 2;
}

function isContainer({ value }: Member): boolean {
  return typeof value === 'object' && value !== null;
}

function bySize(a: Member, b: Member): number {
  return a.size - b.size;
}

function shorten(text: string, budget: number): string {
  let kept = 0;
  let cut = Math.min(text.length, budget);
  // The longest beginning that fits lies between the two: a character has one byte or more.
  while (kept < cut) {
    const middle = Math.ceil((kept + cut) / 2);
    if (jsonBytes(text.slice(0, middle) + ellipsis) <= budget) kept = middle;
    else cut = middle - 1;
  }
  return text.slice(0, wholeCharacters(text, kept)) + ellipsis;
}

/** The same end, but not in the middle of a surrogate pair. */
export function wholeCharacters(text: string, end: number): number {
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end;
}
