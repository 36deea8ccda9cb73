import { isObject, valueAt } from '#contract/json';
import { fit, fitList, jsonBytes, wholeCharacters } from '#contract/text/fit';
import type { Structured } from '#contract/text/tool-result';
import type { Headers } from '../call/exchange.ts';
import { findList, listAt } from '../content/answer-list.ts';
import { fieldsAsText } from '../content/base64-fields.ts';
import { createItemShape, type ItemShape, toRows } from '../content/item-shape.ts';
import { updateAt } from '../content/json/json-edit.ts';
import { type ExactDigits, withDigits } from '../content/json/lost-numbers.ts';
import {
  cursorInside,
  type PagePosition,
  readOffset,
  sizedCursor,
  unmarked,
} from '../content/page-position.ts';
import type { Remark } from '../content/remark.ts';
import { besideList } from './beside-list.ts';
import type { DigestPlan } from './digest-plan.ts';
import { untoldNext } from './header-next.ts';
import { unlessRepeated } from './page-mark.ts';
import { type NextPage, nextPage, type Page } from './paging.ts';

/** What of an answer goes into a result, before it is made to fit. */
export type Arrangement =
  | {
      readonly kind: 'list';
      /** The items, or the ids that are still to be followed. */
      readonly items: readonly unknown[];
      readonly next: string | undefined;
      readonly truncated: boolean;
      /** Why the rest cannot be had, in words. */
      readonly hint?: string;
      /** What came in the place of an answer with a list. */
      readonly answer?: unknown;
      /** What stands beside the list. */
      readonly beside?: unknown;
      /** What else is told, whatever is left out. */
      readonly remark?: string;
      readonly digits?: ExactDigits;
    }
  | {
      readonly kind: 'single';
      readonly item: unknown;
      readonly next: string | undefined;
      readonly truncated: boolean;
      readonly hint?: string;
      readonly remark?: string;
      readonly digits?: ExactDigits;
    };

/** Where an answer came from and what of it is wanted. */
export interface Sheet {
  readonly headers: Headers;
  readonly position: PagePosition;
  readonly continues: Page['continues'];
  readonly remark?: Remark | undefined;
}

type Result = Record<string, unknown>;

const besideIsCut = 'of what stands beside the list, a part is left out';

const restIsLeftOut =
  'a part of this answer is left out, and next_cursor leads behind it: ask for less at a time, or narrow by other arguments';

/** After so many, digits that take too much room are rounded. */
const mostTries = 4;

/** Cuts the answers of one tool's vendor into the shape of its results. */
export class Arranger {
  readonly plan: DigestPlan;
  readonly #shapeItem: ItemShape | undefined;

  constructor(plan: DigestPlan) {
    this.plan = plan;
    this.#shapeItem = createItemShape(plan.shape);
  }

  /** The answer as a list or as one value; of a list that is followed, the ids. */
  arrange(value: unknown, sheet: Sheet): Arrangement {
    const { paging, takesCursor } = this.plan;
    const isPaged = paging !== undefined && takesCursor;
    return remarked(this.#arranged(value, sheet, isPaged), sheet.remark, isPaged);
  }

  #arranged(value: unknown, sheet: Sheet, isPaged: boolean): Arrangement {
    const body = this.#inRows(value, sheet.position);
    if (this.plan.shape.items !== undefined || Array.isArray(body)) return this.#list(body, sheet);
    const counted = this.plan.paging?.counted;
    const items = counted === undefined ? undefined : listAt(body, counted);
    const { cursor: next, hint } = this.#next(body, items, sheet);
    const { skip } = sheet.position;
    const rest =
      skip > 0 && counted !== undefined && Array.isArray(valueAt(body, counted))
        ? updateAt(body, counted, () => items?.slice(skip))
        : body;
    const shaped = rest === undefined ? undefined : this.shape(rest);
    // It would be taken for ours, and lead nowhere, or to the same page for ever.
    const item = isPaged && next === undefined ? withoutCursor(shaped) : shaped;
    return { kind: 'single', item, next, ...endsEarly(hint) };
  }

  /** One item in the shape that the tool gives it. */
  shape(item: unknown): unknown {
    const { base64 } = this.plan.shape;
    const chosen = this.#shapeItem === undefined ? item : this.#shapeItem(item);
    return base64 ? fieldsAsText(chosen, base64) : chosen;
  }

  /** A result that keeps to the size. */
  finish(arrangement: Arrangement, position: PagePosition): Structured {
    return arrangement.kind === 'list'
      ? this.#fittedList(arrangement, position)
      : this.#fittedSingle(arrangement, position);
  }

  /** At most about `mostBytes` of an arrangement; what is left out is the next part of a list. */
  bound(arrangement: Arrangement, position: PagePosition, mostBytes: number): Arrangement {
    // The part of a text is chosen later, of the whole.
    if (this.plan.shape.slice !== undefined) return arrangement;
    if (arrangement.kind === 'single') {
      const { item } = arrangement;
      if (jsonBytes(item, mostBytes) <= mostBytes) return arrangement;
      return { ...arrangement, item: fit(item, mostBytes), truncated: true };
    }
    const { items } = arrangement;
    if (jsonBytes(items, mostBytes) <= mostBytes) return arrangement;
    const kept = fitList(items, mostBytes);
    const isWhole = kept.length === items.length;
    const next = isWhole ? arrangement.next : this.#inside(position, kept.length);
    return { kind: 'list', items: kept, next, truncated: true, ...carried(arrangement) };
  }

  #inRows(value: unknown, { skip }: PagePosition): unknown {
    // No row takes less than three bytes: more of them are in no result.
    const most = skip + Math.ceil(this.plan.maxBytes / 3) + 1;
    let body = value;
    for (const path of this.plan.shape.rows ?? []) {
      body = updateAt(body, path, (columns) => toRows(columns, most));
    }
    return body;
  }

  #list(body: unknown, sheet: Sheet): Arrangement {
    const { position } = sheet;
    const { follow, maxItems } = this.plan.shape;
    const { items: all, isShown } = findList(body, this.plan.shape, sheet.headers);
    const most = maxItems ?? all.length;
    const wanted = this.#followed(position);
    const ending = position.skip + Math.min(most, wanted, this.#mostItems());
    const raw = all.slice(position.skip, ending);
    const items = follow === undefined ? raw.map((item) => this.shape(item)) : raw;
    const left = all.length - position.skip - items.length;
    if (!isShown) {
      const { cursor: next, hint } = this.#next(body, all, sheet);
      const answer = fit(body, this.plan.maxBytes);
      return { kind: 'list', items, next, ...endsEarly(hint), answer };
    }
    const beside = besideList(body, this.plan);
    const told = beside && { beside: beside.said, ...(beside.isCut && { remark: besideIsCut }) };
    if (left <= 0) {
      const { cursor: next, hint } = this.#next(body, all, sheet);
      return { kind: 'list', items, next, ...endsEarly(hint), ...told };
    }
    // A list that is followed page by page is whole in the end.
    const truncated = most < wanted || !this.plan.takesCursor;
    return { kind: 'list', items, next: this.#inside(position, items.length), truncated, ...told };
  }

  /** How many ids are followed in one call; without `follow` that is no limit. */
  #followed({ limit }: PagePosition): number {
    const usual = this.plan.shape.follow?.limit;
    return usual === undefined ? Number.POSITIVE_INFINITY : (limit ?? usual);
  }

  /** No item takes less than two bytes: more of them are in no result. */
  #mostItems(): number {
    return Math.ceil(this.plan.maxBytes / 2) + 1;
  }

  #next(
    body: unknown,
    items: readonly unknown[] | undefined,
    { headers, position, continues }: Sheet,
  ): NextPage {
    const { paging, takesCursor } = this.plan;
    if (paging === undefined) return items === undefined ? {} : untoldNext(headers);
    if (!takesCursor) return {};
    const { cursor, limit, seen } = position;
    const count = items?.length;
    const told = nextPage(paging, { body, count, headers, limit, cursor, seen, continues });
    const page = told.cursor === undefined ? told : { ...told, cursor: unmarked(told.cursor) };
    const found = items === undefined ? page : unlessRepeated(page, paging, { items, position });
    if (found.cursor === undefined) return found;
    return { ...found, cursor: sizedCursor(found.cursor, paging, limit) };
  }

  #inside(position: PagePosition, delivered: number): string | undefined {
    const { takesCursor, paging } = this.plan;
    return takesCursor ? cursorInside(position, position.skip + delivered, paging) : undefined;
  }

  /** A list result that keeps to the size; its cursor goes on behind the last item in it. */
  #fittedList(list: Arrangement & { kind: 'list' }, position: PagePosition): Structured {
    const { items, next, truncated, hint, beside, answer = beside, remark, digits } = list;
    const besides = answer === undefined ? {} : { answer };
    const more = { ...saying(hint, remark), ...besides };
    const whole = serialize({ ...listResult(items, next, truncated), ...more }, digits);
    if (this.#fits(whole.text)) return whole;
    if (list.answer !== undefined)
      return this.#fittedSingle(
        { kind: 'single', item: whole.value, next, truncated: true, ...carried(list) },
        position,
      );
    const longest = this.#inside(position, items.length) ?? '';
    const told = { ...saying(remark), ...besides };
    const frame = jsonBytes({
      ...listResult([], longest.length > (next ?? '').length ? longest : next, true),
      ...told,
    });
    return this.#sized(digits, this.plan.maxBytes - frame, (room, written) => {
      const kept = fitList(items, room);
      const goesOn = kept.length < items.length ? this.#inside(position, kept.length) : next;
      return serialize({ ...listResult(kept, goesOn, true), ...told }, written);
    });
  }

  #fittedSingle(single: Arrangement & { kind: 'single' }, position: PagePosition): Structured {
    const { item, next, truncated, hint, remark, digits } = single;
    const sliced = this.#slice(asObject(item), position);
    const told = saying(hint, remark);
    // A member of the vendor's own of this name is not written over where nothing is cut.
    const cut = truncated ? { ...sliced, truncated, ...told } : { ...told, ...sliced };
    const whole = serialize({ ...cut, ...continued(next) }, digits);
    if (this.#fits(whole.text)) return whole;
    const shorter = this.#shortenedList(single, position);
    if (shorter) return shorter;
    const past = next === undefined ? undefined : restIsLeftOut;
    const fixed = { truncated: true, ...saying(hint, remark, past), ...continued(next) };
    const frame = jsonBytes(fixed);
    return this.#sized(digits, this.plan.maxBytes - frame, (room, written) =>
      serialize({ ...asObject(fit(sliced, room)), ...fixed }, written),
    );
  }

  /** An answer whose list has lost its last items: its cursor goes on behind those that are left. */
  #shortenedList(
    { item, next, hint, remark, digits }: Arrangement & { kind: 'single' },
    position: PagePosition,
  ): Structured | undefined {
    const { counted } = this.plan.paging ?? {};
    const list = counted === undefined ? undefined : valueAt(item, counted);
    if (counted === undefined || !this.plan.takesCursor || !Array.isArray(list)) return undefined;
    const holding = (kept: readonly unknown[], delivered = kept.length): Result => {
      const isAll = delivered === list.length;
      const told = isAll ? saying(hint, remark) : saying(remark);
      const goesOn = isAll ? next : this.#inside(position, delivered);
      const rest = asObject(updateAt(item, counted, () => kept));
      return { ...rest, truncated: true, ...told, ...continued(goesOn) };
    };
    const frames = [list.length, list.length - 1].map((most) => jsonBytes(holding([], most)));
    const room = this.plan.maxBytes - Math.max(...frames);
    // Where most of it stands beside the list, a shorter list helps little.
    if (room < this.plan.maxBytes / 2) return undefined;
    return this.#sized(digits, room, (most, written) =>
      serialize(holding(fitList(list, most)), written),
    );
  }

  /** A result that is made for some room; digits that are written out take more of it than was reckoned. */
  #sized(
    digits: ExactDigits | undefined,
    most: number,
    make: (room: number, digits?: ExactDigits) => Structured,
  ): Structured {
    let room = Math.max(64, most);
    for (let tries = 0; digits !== undefined && tries < mostTries; tries += 1) {
      const made = make(room, digits);
      if (this.#fits(made.text)) return made;
      const share = this.plan.maxBytes / Buffer.byteLength(made.text);
      room = Math.max(64, Math.floor(room * share * 0.95));
    }
    return make(Math.max(64, most));
  }

  /** One part of a long text, and where the next one starts. */
  #slice(result: Result, { args }: PagePosition): Result {
    const { slice } = this.plan.shape;
    if (slice === undefined) return result;
    const path = slice.path.length === 0 ? ['text'] : slice.path;
    let continuation = {};
    const sliced = updateAt(result, path, (text) => {
      if (typeof text !== 'string') return text;
      const start = readOffset(args);
      const end = wholeCharacters(text, Math.min(text.length, start + slice.maxCharacters));
      if (end < text.length) continuation = { next_offset: end, total_characters: text.length };
      return text.slice(start, end);
    });
    return { ...asObject(sliced), ...continuation };
  }

  #fits(text: string): boolean {
    const { maxBytes } = this.plan;
    // UTF-8 needs at most three bytes for each UTF-16 unit.
    return text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes;
  }
}

/** What is said of an answer; of what is read page by page, the cursor tells whether there is more. */
function remarked(
  arrangement: Arrangement,
  { part, lost, digits }: Remark = {},
  isPaged = false,
): Arrangement {
  const cut = isPaged ? undefined : part;
  const { hint: remark } = saying(arrangement.remark, cut, lost);
  if (remark === undefined) return arrangement;
  const truncated = arrangement.truncated || cut !== undefined;
  return { ...arrangement, truncated, ...carried({ remark, digits }) };
}

/** What goes with any part of an answer. */
function carried({
  beside,
  remark,
  digits,
}: {
  readonly beside?: unknown;
  readonly remark?: string | undefined;
  readonly digits?: ExactDigits | undefined;
}): Pick<Arrangement & { kind: 'list' }, 'beside' | 'remark' | 'digits'> {
  return {
    ...(beside !== undefined && { beside }),
    ...(remark !== undefined && { remark }),
    ...(digits && { digits }),
  };
}

function saying(...texts: readonly (string | undefined)[]): { hint?: string } {
  const hint = texts.filter((text) => text !== undefined).join('; ');
  return hint === '' ? {} : { hint };
}

/** A list that goes on where nobody can follow is cut off. */
function endsEarly(hint: string | undefined): { truncated: boolean; hint?: string } {
  return hint === undefined ? { truncated: false } : { truncated: true, hint };
}

function listResult(
  items: readonly unknown[],
  next: string | undefined,
  truncated: boolean,
): Result {
  return {
    items,
    ...continued(next),
    ...(truncated ? { truncated: true } : {}),
  };
}

/** An answer of the last page that anybody can follow, whatever a member of the name of our cursor holds. */
function withoutCursor(item: unknown): unknown {
  return updateAt(item, ['next_cursor'], (own) => (typeof own === 'string' ? null : own));
}

function continued(next: string | undefined): { next_cursor?: string } {
  return next === undefined ? {} : { next_cursor: next };
}

function serialize(value: Result, digits?: ExactDigits): Structured {
  return { value, text: withDigits(value, digits), ...(digits && { digits }) };
}

/** Results are objects (MCP 2026-07-28, structuredContent); anything else becomes a member of one. */
function asObject(value: unknown): Result {
  if (isObject(value)) return value;
  if (value === undefined || value === null) return {};
  return typeof value === 'string' ? { text: value } : { value };
}
