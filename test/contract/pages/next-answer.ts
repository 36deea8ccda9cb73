import { isObject, type JsonPath, valueAt } from '#contract/json';
import type { Paging } from '#contract/tool';
import type { Answer } from '../mock/recorder.ts';

/** What a mock is made to say, so that its first answer has a page after it. */
export interface NextPage {
  readonly paging: Paging;
  /** Where the items stand; the root where the answer is a list. */
  readonly items: JsonPath;
  /** Where the second page begins, as the parameter of the document wants it. */
  readonly position: string | number;
  /** The address of the second page. */
  readonly address: string;
}

const whole = 1_000_000;

/**
 * The answer of a mock, changed as little as a vendor with another page would: a full list, a
 * position or an address after it, and whatever says that there is more.
 */
export function withNextPage({ headers, body }: Answer, next: NextPage): Answer {
  const { paging, address } = next;
  if (paging.style === 'link_header') {
    return { headers: { ...headers, link: `<${address}>; rel="next"` }, body };
  }
  // Of an answer that the document does not describe, the mock says nothing at all.
  const bare = next.items.length > 0 ? {} : [];
  const told = body.length > 0 ? parsed(body) : bare;
  if (told === undefined) return { headers, body };
  const { stop: _, ...others } = headers;
  const rest = { ...others, ...(body.length === 0 && { 'content-type': 'application/json' }) };
  return { headers: rest, body: Buffer.from(JSON.stringify(changed(told, next))) };
}

function changed(told: unknown, { paging, items, position, address }: NextPage): unknown {
  const { style, next, hasMore, total, pages, pageSize = 1 } = paging;
  const isCounted = next === undefined && (style === 'page' || style === 'offset');
  const needsItem = isCounted || (next !== undefined && startsWith(next, items));
  let answer = told;
  if (needsItem) answer = set(answer, items, filled(valueAt(answer, items), pageSize));
  for (const path of [total, pages]) if (path !== undefined) answer = set(answer, path, whole);
  if (hasMore !== undefined && valueAt(answer, hasMore) !== true) {
    answer = set(answer, hasMore, true);
  }
  if (next === undefined) return answer;
  if (style === 'relay') return set(answer, next, { endCursor: position, hasNextPage: true });
  return set(answer, next, style === 'next_url' ? address : position);
}

/** As many items as a page has. */
function filled(list: unknown, count: number): unknown[] {
  const [first = {}, ...others] = Array.isArray(list) ? list : [];
  const known = [first, ...others];
  return Array.from({ length: Math.max(count, 1) }, (_, at) => known[at] ?? structuredClone(first));
}

function startsWith(path: JsonPath, start: JsonPath): boolean {
  return path.length > start.length && start.every((step, at) => path[at] === step);
}

/** A value with another at this place, and what leads there made where it is missing. */
function set(holder: unknown, [step, ...rest]: JsonPath, value: unknown): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list: unknown[] = Array.isArray(holder) && holder.length > 0 ? holder : [{}];
    const at = step < 0 ? list.length + step : step;
    return list.with(at, set(list[at], rest, value));
  }
  const members = isObject(holder) ? holder : {};
  return { ...members, [step]: set(members[step], rest, value) };
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
