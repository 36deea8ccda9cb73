import { isObject } from '#contract/json';
import { fit, fitList, jsonBytes, wholeCharacters } from '#contract/text/fit';
import { type Structured, structuredResult } from '#contract/text/tool-result';
import type { ResponseShape, ToolResult, VendorTool } from '#contract/tool';
import type { CallLife } from '../call/call-life.ts';
import { fieldsAsText } from '../content/base64-fields.ts';
import type { Decoded } from '../content/decode.ts';
import { fieldsInMarkdown } from '../content/html-fields.ts';
import { createItemShape, type ItemShape, listAt, toRows } from '../content/item-shape.ts';
import { updateAt } from '../content/json-edit.ts';
import { cursorInside, type PagePosition, readOffset } from '../content/page-position.ts';
import type { ProviderLink } from '../request/provider-link.ts';
import { binaryResult, linkResult } from './binary-result.ts';
import { followItems, type ReadItem } from './follow.ts';
import { nextCursor, type Page } from './paging.ts';
import type { Reading } from './vendor-reader.ts';

/** What the shaping of one result needs of its call. */
export interface Presentation {
  readonly position: PagePosition;
  readonly continues: Page['continues'];
  readonly read: ReadItem;
  readonly life: CallLife;
}

type Result = Record<string, unknown>;

/** Turns the answers of one tool's vendor into the tool's results. */
export class Presenter {
  readonly #link: ProviderLink;
  readonly #tool: VendorTool;
  readonly #shape: ResponseShape;
  readonly #shapeItem: ItemShape | undefined;
  readonly #maxBytes: number;
  readonly #takesCursor: boolean;

  constructor(link: ProviderLink, tool: VendorTool) {
    this.#link = link;
    this.#tool = tool;
    this.#shape = tool.response ?? {};
    this.#shapeItem = createItemShape(this.#shape);
    this.#maxBytes = this.#shape.maxBytes ?? link.limits.resultBytes;
    const properties = tool.input['properties'];
    this.#takesCursor = isObject(properties) && Object.hasOwn(properties, 'cursor');
  }

  /** @throws ToolError */
  async present(reading: Reading, presentation: Presentation): Promise<ToolResult> {
    const { decoded } = reading;
    const context = { link: this.#link, tool: this.#tool };
    if (this.#shape.linkOnly === true) return linkResult(reading, this.#tool);
    if (decoded.kind === 'binary') return binaryResult(decoded, reading, context);
    // Most answers need nothing that waits.
    const shown = this.#body(decoded, presentation);
    const body = shown instanceof Promise ? await shown : shown;
    const structured = this.#isList(body)
      ? await this.#list(body, reading, presentation)
      : await this.#single(body, reading, presentation);
    const { title } = this.#link.provider;
    return structuredResult(structured, { untrusted: this.#shape.untrusted === true, title });
  }

  /** The answer as a value, its columns turned into rows. */
  #body(decoded: Decoded, { life }: Presentation): unknown {
    if (decoded.kind === 'text') {
      const { text } = decoded;
      if (this.#shape.markdown !== true) return { text };
      return life.within(this.#link.toMarkdown([text])).then(([markdown]) => ({ text: markdown }));
    }
    if (decoded.kind !== 'value') return undefined;
    let { value } = decoded;
    for (const path of this.#shape.rows ?? []) value = updateAt(value, path, toRows);
    return value;
  }

  #isList(body: unknown): boolean {
    return this.#shape.items !== undefined || Array.isArray(body);
  }

  async #list(body: unknown, reading: Reading, call: Presentation): Promise<Structured> {
    const { position } = call;
    const all = listAt(body, this.#shape.items ?? []);
    const most = this.#shape.maxItems ?? all.length;
    const wanted = this.#followed(position);
    const raw = all.slice(position.skip, position.skip + Math.min(most, wanted));
    const items = await this.#shaped(await this.#resolved(raw, call), call);
    const left = all.length - position.skip - items.length;
    return this.#fitted(items, {
      next:
        left > 0
          ? this.#inside(position, items.length)
          : this.#next({ body, count: all.length }, reading, call),
      // A list that is followed page by page is whole in the end.
      truncated: left > 0 && (most < wanted || !this.#takesCursor),
      position,
    });
  }

  /** How many ids are followed in one call; without `follow` that is no limit. */
  #followed({ limit }: PagePosition): number {
    const usual = this.#shape.follow?.limit;
    return usual === undefined ? Number.POSITIVE_INFINITY : (limit ?? usual);
  }

  async #resolved(
    raw: readonly unknown[],
    { read, life }: Presentation,
  ): Promise<readonly unknown[]> {
    const { follow } = this.#shape;
    if (follow === undefined) return raw;
    const { followers: workers } = this.#link.limits;
    return followItems(raw, { follow, read, workers, progress: life.progress });
  }

  #shaped(
    items: readonly unknown[],
    { life }: Presentation,
  ): readonly unknown[] | Promise<readonly unknown[]> {
    const shapeItem = this.#shapeItem;
    const { base64, markdown } = this.#shape;
    const chosen = shapeItem === undefined ? items : items.map(shapeItem);
    const shaped = base64 ? chosen.map((item) => fieldsAsText(item, base64)) : chosen;
    return markdown === undefined || markdown === true
      ? shaped
      : life.within(fieldsInMarkdown(shaped, markdown, this.#link.toMarkdown));
  }

  #next(page: Pick<Page, 'body' | 'count'>, { headers }: Reading, call: Presentation) {
    if (this.#tool.paging === undefined || !this.#takesCursor) return undefined;
    const { position, continues } = call;
    const { cursor, limit } = position;
    return nextCursor(this.#tool.paging, { ...page, headers, limit, cursor, continues });
  }

  #inside(position: PagePosition, delivered: number): string | undefined {
    return this.#takesCursor ? cursorInside(position, position.skip + delivered) : undefined;
  }

  /** A list result that keeps to the size; its cursor goes on behind the last item in it. */
  #fitted(
    items: readonly unknown[],
    {
      next,
      truncated,
      position,
    }: { next: string | undefined; truncated: boolean; position: PagePosition },
  ): Structured {
    const whole = serialize(listResult(items, next, truncated));
    if (this.#fits(whole.text)) return whole;
    const longest = this.#inside(position, items.length) ?? '';
    const frame = jsonBytes(
      listResult([], longest.length > (next ?? '').length ? longest : next, true),
    );
    const kept = fitList(items, Math.max(64, this.#maxBytes - frame));
    const goesOn = kept.length < items.length ? this.#inside(position, kept.length) : next;
    return serialize(listResult(kept, goesOn, true));
  }

  async #single(body: unknown, reading: Reading, call: Presentation): Promise<Structured> {
    const shaped = this.#shaped(body === undefined ? [] : [body], call);
    const [item] = shaped instanceof Promise ? await shaped : shaped;
    const sliced = this.#slice(asObject(item), call.position);
    const next = this.#next({ body, count: 0 }, reading, call);
    const result = next === undefined ? sliced : { ...sliced, next_cursor: next };
    const whole = serialize(result);
    if (this.#fits(whole.text)) return whole;
    const frame = jsonBytes({ truncated: true });
    const fitted = fit(result, Math.max(64, this.#maxBytes - frame));
    return serialize({ ...asObject(fitted), truncated: true });
  }

  /** One part of a long text, and where the next one starts. */
  #slice(result: Result, { args }: PagePosition): Result {
    const { slice } = this.#shape;
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
    // UTF-8 needs at most three bytes for each UTF-16 unit.
    return text.length * 3 <= this.#maxBytes || Buffer.byteLength(text) <= this.#maxBytes;
  }
}

function listResult(
  items: readonly unknown[],
  next: string | undefined,
  truncated: boolean,
): Result {
  return {
    items,
    ...(next === undefined ? {} : { next_cursor: next }),
    ...(truncated ? { truncated: true } : {}),
  };
}

function serialize(value: Result): Structured {
  return { value, text: JSON.stringify(value) };
}

/** Results are objects (MCP 2026-07-28, structuredContent); anything else becomes a member of one. */
function asObject(value: unknown): Result {
  if (isObject(value)) return value;
  if (value === undefined || value === null) return {};
  return typeof value === 'string' ? { text: value } : { value };
}
